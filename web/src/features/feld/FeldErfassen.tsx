// A new tree, and the next one after it. What was begun and not saved is there again when the form is opened.
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { BAUM_FELDER, baumResolver, type BaumValues, neuerBaum, toBaumWerte } from '../../record/habitat/habitat-form.ts'
import { baumName } from '../../record/habitat/habitat-words.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { BaumFormular } from './BaumFormular.tsx'
import './erfassung.css'
import { type FeldEntwurf, type FeldPaket, haltbar, type Kennung } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { FotoLeiste } from './FotoLeiste.tsx'
import { fetchEntwurf, speichereNeu, verwirfEntwurf } from './schlange.ts'
import { useEntwurf } from './use-entwurf.ts'
import { hatInhalt, naechsterBaum } from './vorschlaege.ts'

const ENTWURF = 'neu'

interface Anfang {
  readonly kennung: Kennung
  readonly werte: BaumValues
  readonly entwurf: FeldEntwurf | null
}

export function FeldErfassen({ paket }: { paket: FeldPaket }) {
  const { db, sub, name } = useFeld()
  const [anfang, setAnfang] = useState<Anfang | null>(null)
  const [fehler, setFehler] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    void fetchEntwurf(db, sub, ENTWURF).then(
      (entwurf) => {
        if (gone) return
        // Of another holding: its pack has to be opened for it.
        const own = entwurf?.idHQ === paket.idHQ ? entwurf : undefined
        setAnfang({
          kennung: own?.kennung ?? neueKennung(),
          werte: { ...neuerBaum(name), ...(own?.werte as BaumValues | undefined) },
          entwurf: own ?? null,
        })
      },
      (error: unknown) => !gone && setFehler(error),
    )
    // The browser is asked once that it keeps what is captured here when space runs out.
    void haltbar()
    return () => {
      gone = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the form keeps what it began with
  }, [db, sub, paket.idHQ])
  if (fehler !== null) return <ErrorState error={fehler} />
  if (anfang === null) return <Skeleton lines={8} />
  return (
    <Formular
      key={anfang.kennung}
      paket={paket}
      anfang={anfang}
      onNaechster={(letzter) => setAnfang({ kennung: neueKennung(), werte: naechsterBaum(neuerBaum(name), letzter), entwurf: null })}
      onVerworfen={() => setAnfang({ kennung: neueKennung(), werte: neuerBaum(name), entwurf: null })}
    />
  )
}

interface Props {
  paket: FeldPaket
  anfang: Anfang
  onNaechster: (letzter: BaumValues) => void
  onVerworfen: () => void
}
function Formular({ paket, anfang, onNaechster, onVerworfen }: Props) {
  const { db, sub, name } = useFeld()
  const view = useView()
  const form = useForm<BaumValues>({ resolver: baumResolver, defaultValues: anfang.werte, mode: 'onTouched', shouldFocusError: false })
  const fotos = useRef(0)
  const [leer] = useState(() => neuerBaum(name))
  const [start] = useState(() => ({ ...naechsterBaum(leer, anfang.werte) }))
  const entwurf = useEntwurf({
    name: ENTWURF,
    kennung: anfang.kennung,
    idHQ: paket.idHQ,
    form,
    lohnt: (values) => fotos.current > 0 || hatInhalt(values, start),
  })
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const page = useRef<HTMLFormElement>(null)
  // Only where the device does not take the draft, leaving would lose it.
  const disarm = useUnsavedChanges(entwurf.fehler !== null)

  const speichere = (weiter: boolean) =>
    form.handleSubmit(
      async (values) => {
        if (busy) return
        setBusy(true)
        setFault(null)
        try {
          const werte = toBaumWerte(values)
          entwurf.ende()
          const kennung = await speichereNeu(db, {
            sub,
            kennung: anfang.kennung,
            idHQ: paket.idHQ,
            werte,
            entwurf: ENTWURF,
            ersatz: neueKennung(),
            jetzt: new Date(),
          })
          disarm()
          toast.success(t('{name} ist auf diesem Gerät gespeichert.', { name: baumName(werte) }))
          if (weiter) {
            onNaechster(values)
            page.current?.closest('.feld-mitte')?.scrollTo({ top: 0 })
            window.scrollTo({ top: 0 })
          } else view.go(`/feld/baum/${kennung}`)
        } catch (error) {
          setFault(error instanceof ToldError ? error.message : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.'))
          setBusy(false)
        }
      },
      (errors) => {
        setFault(t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.'))
        zeigeFehler(
          page.current,
          BAUM_FELDER.find((feld) => errors[feld] !== undefined),
        )
      },
    )()
  return (
    <form ref={page} className="erf-form" noValidate onSubmit={(event) => event.preventDefault()}>
      <h2 className="visually-hidden">{t('Neuer Habitatbaum')}</h2>
      {anfang.entwurf !== null && (
        <Notice
          tone="info"
          title={t('Begonnene Erfassung')}
          actions={
            <Button size="small" onClick={() => setLeaving(true)}>
              {t('Verwerfen')}
            </Button>
          }
        >
          {t('Was Sie am {when} begonnen haben, ist wieder da. Prüfen Sie die Position, wenn Sie inzwischen woanders stehen.', {
            when: formatDateTime(anfang.entwurf.am),
          })}
        </Notice>
      )}
      <BaumFormular
        form={form}
        paket={paket}
        neu
        fotos={
          <section className="erf-teil" aria-label={t('Fotos')}>
            <FotoLeiste
              baum={anfang.kennung}
              idHQ={paket.idHQ}
              stand="entwurf"
              onAnzahl={(anzahl) => {
                fotos.current = anzahl
                if (anzahl > 0) entwurf.sichere()
              }}
            />
          </section>
        }
      />
      <div className="erf-leiste">
        {fault !== null && (
          <p className="field-error" role="alert">
            {fault}
          </p>
        )}
        {entwurf.fehler !== null && fault === null && (
          <p className="field-error" role="alert">
            {entwurf.fehler.message}
          </p>
        )}
        <div className="erf-taten">
          <Button busy={busy} onClick={() => void speichere(false)}>
            {t('Speichern')}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void speichere(true)}>
            {t('Speichern und nächster')}
          </Button>
        </div>
        {entwurf.gesichert !== null && entwurf.fehler === null && fault === null && (
          <p className="soft erf-gesichert">{t('Entwurf auf diesem Gerät gesichert')}</p>
        )}
      </div>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Begonnene Erfassung verwerfen?')}
        confirmLabel={t('Verwerfen')}
        onConfirm={() => {
          entwurf.ende()
          void verwirfEntwurf(db, sub, ENTWURF, anfang.kennung).then(onVerworfen, (error: unknown) =>
            setFault(
              error instanceof ToldError ? error.message : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.'),
            ),
          )
        }}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Die Angaben und ihre Fotos sind dann weg.')}</p>
      </ConfirmDialog>
    </form>
  )
}

/** Brings the first faulty field before the eyes, also one that is folded away. */
export function zeigeFehler(page: HTMLElement | null, feld: string | undefined) {
  if (page === null || feld === undefined) return
  const target =
    feld === 'lat' || feld === 'lon' || feld === 'genauigkeit_m'
      ? page.querySelector<HTMLElement>('.erf-lage')
      : page.querySelector<HTMLElement>(`[name="${feld}"]`)
  target?.closest('details')?.setAttribute('open', '')
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
