// One tree in the field: what is known of it, photos, a check-up, its loss, and its form. What somebody else did with it meanwhile is settled here.
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../record/record-faults.ts'
import { ConflictDialog } from '../../record/ConflictDialog.tsx'
import { changesOf, mergedChanges } from '../../record/merge.ts'
import type { BaumWerte } from '../../record/habitat/baum.ts'
import {
  BAUM_FELDER,
  baumKind,
  baumResolver,
  type BaumValues,
  type FormFeld,
  toBaumValues,
  toBaumWerte,
} from '../../record/habitat/habitat-form.ts'
import {
  adresseOf,
  artText,
  baumName,
  fieldLabel,
  markierungName,
  statusName,
  verlustName,
  zustandName,
} from '../../record/habitat/habitat-words.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'
import { strukturenNamen, strukturenOf } from '../../record/habitat/strukturen-text.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { BaumFormular } from './BaumFormular.tsx'
import './erfassung.css'
import { seiten } from './erfassung.ts'
import { type FeldEntwurf, type FeldPaket, type Kennung } from './feld-db.ts'
import { zeigeFehler } from './FeldErfassen.tsx'
import { useFeld } from './feld-kontext.ts'
import { useFeldStand } from './feld-stand.ts'
import { FotoLeiste } from './FotoLeiste.tsx'
import { KontrolleDialog, VerlustDialog } from './BaumDialoge.tsx'
import { useRegeltext } from './regeltext.ts'
import {
  type BaumLage,
  beobachte,
  fetchBaum,
  fetchEntwurf,
  legeGeloeschtenNeuAn,
  loeseKonflikt,
  speichereAenderung,
  versucheErneut,
  verwirfEntwurf,
  verwirfErfassung,
} from './schlange.ts'
import { useEntwurf } from './use-entwurf.ts'

interface Geladen {
  readonly lage: BaumLage | null
  readonly entwurf: FeldEntwurf | undefined
}

export function FeldBaum({ kennung, paket: offen }: { kennung: Kennung; paket: FeldPaket }) {
  const { pakete } = useFeldStand()
  const { db, sub } = useFeld()
  const { search, setSearch } = useView()
  const [geladen, setGeladen] = useState<Geladen | null>(null)
  const [fehler, setFehler] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    const read = () =>
      void Promise.all([fetchBaum(db, sub, kennung), fetchEntwurf(db, sub, kennung)]).then(
        ([lage, entwurf]) => !gone && setGeladen({ lage, entwurf }),
        (error: unknown) => !gone && setFehler(error),
      )
    read()
    const stop = beobachte(read)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub, kennung])
  if (fehler !== null) return <ErrorState error={fehler} />
  if (geladen === null) return <Skeleton lines={8} />
  if (geladen.lage === null)
    return (
      <EmptyState
        icon="tree"
        title={t('Diesen Baum gibt es auf diesem Gerät nicht')}
        action={<ButtonLink href="/feld/baeume">{t('Zu den Bäumen')}</ButtonLink>}
      >
        {t('Vielleicht wurde er gelöscht, oder er gehört zu einem Forstbetrieb, der hier nicht gespeichert ist.')}
      </EmptyState>
    )
  // It may belong to another holding than the open one.
  const { idHQ } = geladen.lage.sicht
  const paket = pakete.find((one) => one.idHQ === idHQ) ?? offen
  if (search['form'] === 'aendern')
    return (
      <Aendern
        lage={geladen.lage}
        entwurf={geladen.entwurf}
        paket={paket}
        feld={search['feld']}
        onFertig={() => setSearch({ form: undefined, feld: undefined }, { replace: true })}
      />
    )
  return <Ansicht lage={geladen.lage} entwurf={geladen.entwurf} paket={paket} onAendern={() => setSearch({ form: 'aendern' })} />
}

interface AnsichtProps {
  lage: BaumLage
  entwurf: FeldEntwurf | undefined
  paket: FeldPaket
  onAendern: () => void
}
function Ansicht({ lage, entwurf, paket, onAendern }: AnsichtProps) {
  const { sicht, baum, erfassung } = lage
  const { werte } = sicht
  const [dialog, setDialog] = useState<'kontrolle' | 'verlust' | null>(null)
  const geloescht = sicht.stand === 'geloescht'
  const kontrollen = [...(erfassung?.unterwegs?.kontrollen ?? []), ...(erfassung?.kontrollen ?? [])]
  return (
    <article className="erf-form">
      <header className="erf-kopf">
        <h2>{baumName(werte)}</h2>
        <p className="erf-marken">
          {werte.verlust_datum !== null && <Badge tone="danger">{t('verloren')}</Badge>}
          <Badge>{statusName(werte.status)}</Badge>
          <Badge>{zustandName(werte.zustand)}</Badge>
          {werte.markierung_art === null ? (
            <Badge tone="warning">{t('nicht markiert')}</Badge>
          ) : (
            <Badge tone="success">{markierungName(werte.markierung_art)}</Badge>
          )}
          {sicht.stand === 'wartet' && <Badge tone="info">{t('wartet auf Übertragung')}</Badge>}
        </p>
      </header>
      <Klaerung lage={lage} paket={paket} onAendern={onAendern} />
      {entwurf !== undefined && (
        <Notice tone="info" title={t('Begonnene Änderung')} actions={<Button onClick={onAendern}>{t('Fortsetzen')}</Button>}>
          {t('An diesem Baum haben Sie etwas geändert und noch nicht gespeichert.')}
        </Notice>
      )}
      {!geloescht && (
        <div className="erf-taten">
          <Button variant="primary" icon="edit" onClick={onAendern}>
            {t('Ändern')}
          </Button>
          <Button onClick={() => setDialog('kontrolle')}>{t('Kontrolle')}</Button>
          {werte.verlust_datum === null && <Button onClick={() => setDialog('verlust')}>{t('Verlust')}</Button>}
        </div>
      )}
      <section className="erf-teil" aria-label={t('Fotos')}>
        <h3>
          {t('Fotos')}
          {baum !== undefined && baum.bilder > 0 && (
            <span className="soft"> {baum.bilder === 1 ? t('1 auf dem Server') : t('{n} auf dem Server', { n: baum.bilder })}</span>
          )}
        </h3>
        <FotoLeiste baum={sicht.kennung} idHQ={sicht.idHQ} stand="wartet" />
      </section>
      <section className="erf-teil" aria-label={t('Angaben')}>
        <Facts
          facts={[
            fact(fieldLabel('art'), artText(werte.art, werte.art_text)),
            fact(fieldLabel('bhd_cm'), werte.bhd_cm === null ? null : `${formatNumber(werte.bhd_cm)} cm`),
            fact(fieldLabel('hoehe_m'), werte.hoehe_m === null ? null : `${formatNumber(werte.hoehe_m)} m`),
            fact(fieldLabel('strukturen'), strukturenNamen(strukturenOf(werte.strukturen))),
            fact(t('Adresse'), adresseOf(werte, paket.ebenen)),
            fact(
              fieldLabel('markierung_art'),
              werte.markierung_art === null
                ? null
                : [markierungName(werte.markierung_art), formatDate(werte.markierung_datum)].filter(Boolean).join(', '),
            ),
            fact(
              t('Lage'),
              `${formatNumber(werte.lat, 6)}° N, ${formatNumber(werte.lon, 6)}° O${werte.genauigkeit_m === null ? '' : ` (± ${formatNumber(werte.genauigkeit_m, 1)} m)`}`,
            ),
            fact(t('Erfasst'), [formatDate(werte.erfasst_am), werte.erfasser].filter(Boolean).join(', ')),
            ...(werte.verlust_datum === null
              ? []
              : [
                  fact(
                    t('Verlust'),
                    [formatDate(werte.verlust_datum), werte.verlust_grund && verlustName(werte.verlust_grund)].filter(Boolean).join(', '),
                  ),
                ]),
            ...(kontrollen.length === 0
              ? []
              : [fact(t('Kontrollen, die warten'), kontrollen.map(({ datum }) => formatDate(datum)).join(', '))]),
            fact(fieldLabel('bemerkung'), werte.bemerkung),
          ]}
        />
      </section>
      {sicht.stand === 'wartet' && erfassung?.version === null && erfassung.unterwegs === null && (
        <div className="erf-taten">
          <Verwerfen lage={lage} />
        </div>
      )}
      {dialog === 'kontrolle' && <KontrolleDialog kennung={sicht.kennung} onClose={() => setDialog(null)} />}
      {dialog === 'verlust' && <VerlustDialog lage={lage} onClose={() => setDialog(null)} />}
    </article>
  )
}

type AnsichtTeil = Omit<AnsichtProps, 'entwurf'>
/** What the queue cannot decide by itself. */
function Klaerung({ lage, paket, onAendern }: AnsichtTeil) {
  const { sicht, erfassung, konflikt } = lage
  const { db, sub } = useFeld()
  const view = useView()
  const [open, setOpen] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const grund = useRegeltext(erfassung?.antwort?.regel ?? null)
  const { kennung, stand } = sicht
  const versuche = (work: Promise<unknown>) =>
    work.catch((error: unknown) => setFault(error instanceof ToldError ? error.message : messageOf(error)))
  const verwerfen = <Verwerfen lage={lage} />
  if (erfassung === undefined) return null
  return (
    <>
      {fault !== null && (
        <Notice tone="danger" title={t('Nicht gespeichert')}>
          {fault}
        </Notice>
      )}
      {stand === 'konflikt' && konflikt !== undefined && (
        <Notice
          tone="warning"
          title={t('Inzwischen geändert')}
          actions={
            <Button variant="primary" onClick={() => setOpen(true)}>
              {t('Entscheiden')}
            </Button>
          }
        >
          {t('Jemand anderes hat diesen Baum geändert. Nichts ist überschrieben: wählen Sie, was gelten soll.')}
        </Notice>
      )}
      {stand === 'geloescht' && (
        <Notice
          tone="warning"
          title={t('Auf dem Server gelöscht')}
          actions={
            <>
              {verwerfen}
              <Button
                variant="primary"
                size="small"
                onClick={() =>
                  void versuche(
                    legeGeloeschtenNeuAn(db, { sub, kennung, neueKennung, jetzt: new Date() }).then((fresh) => {
                      if (fresh !== null) view.go(`/feld/baum/${fresh}`, { replace: true })
                    }),
                  )
                }
              >
                {t('Neu anlegen')}
              </Button>
            </>
          }
        >
          {t(
            'Jemand hat diesen Baum gelöscht, während hier noch etwas von ihm wartete. Sie können ihn mit Ihren Angaben und Fotos neu anlegen oder Ihre Angaben verwerfen.',
          )}
        </Notice>
      )}
      {stand === 'abgelehnt' && (
        <Notice
          tone="danger"
          title={t('Vom Server nicht angenommen')}
          actions={
            <>
              {verwerfen}
              <Button size="small" onClick={() => void versuche(versucheErneut(db, sub, kennung))}>
                {t('Noch einmal senden')}
              </Button>
              <Button size="small" variant="primary" onClick={onAendern}>
                {t('Berichtigen')}
              </Button>
            </>
          }
        >
          {erfassung.antwort?.feld != null && <strong>{fieldLabel(erfassung.antwort.feld, paket.ebenen)}: </strong>}
          {grund}
        </Notice>
      )}
      {open && konflikt !== undefined && (
        <Konflikt
          lage={{ erfassung, server: konflikt.server }}
          paket={paket}
          onWahl={(gewaehlt) => {
            setOpen(false)
            void versuche(loeseKonflikt(db, sub, kennung, gewaehlt, new Date()))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Gives up what of this tree waits. */
function Verwerfen({ lage: { sicht, erfassung } }: Pick<AnsichtProps, 'lage'>) {
  const { db, sub } = useFeld()
  const view = useView()
  const [weg, setWeg] = useState(false)
  const { kennung, stand } = sicht
  const gib = async () => {
    setWeg(false)
    try {
      if (!(await verwirfErfassung(db, sub, kennung)))
        toast.error(t('Dieser Baum ist gerade unterwegs zum Server. Warten Sie, bis die Antwort da ist.'))
      else if (erfassung?.version === null || stand === 'geloescht') view.go('/feld/baeume', { replace: true })
    } catch (error) {
      toast.error(error instanceof ToldError ? error.message : messageOf(error))
    }
  }
  return (
    <>
      <Button size="small" onClick={() => setWeg(true)}>
        {t('Verwerfen')}
      </Button>
      <ConfirmDialog
        open={weg}
        danger
        title={t('Erfassung verwerfen?')}
        record={baumName(sicht.werte)}
        confirmLabel={t('Verwerfen')}
        onConfirm={() => void gib()}
        onCancel={() => setWeg(false)}
      >
        <p>{t('Was von diesem Baum noch nicht übertragen ist, ist dann weg, auch seine Fotos auf diesem Gerät.')}</p>
      </ConfirmDialog>
    </>
  )
}

interface KonfliktProps {
  lage: { erfassung: NonNullable<BaumLage['erfassung']>; server: NonNullable<BaumLage['konflikt']>['server'] }
  paket: FeldPaket
  onWahl: (gewaehlt: Partial<BaumWerte>) => void
  onClose: () => void
}
function Konflikt({ lage: { erfassung, server }, paket, onWahl, onClose }: KonfliktProps) {
  const { base, mine, theirs } = seiten(erfassung, server)
  return (
    <ConflictDialog<FormFeld, typeof theirs, BaumValues>
      kind={baumKind(paket.ebenen)}
      conflict={{ base, mine, theirs }}
      saving={false}
      onResolve={(choice) => onWahl(mergedChanges(BAUM_FELDER, choice, mine, theirs))}
      onClose={onClose}
    />
  )
}

interface AendernProps {
  lage: BaumLage
  entwurf: FeldEntwurf | undefined
  paket: FeldPaket
  /** Where the server was not content. */
  feld: string | undefined
  onFertig: () => void
}
function Aendern({ lage, entwurf, paket, feld, onFertig }: AendernProps) {
  const { db, sub } = useFeld()
  // As it stands now: a sync in the meantime changes nothing under the fingers, and is told when it is saved.
  const [anfang] = useState(() => ({
    sicht: lage.sicht,
    version: lage.baum?.baum.version ?? null,
    werte: toBaumValues(lage.sicht.werte),
    antwort: lage.erfassung?.antwort ?? null,
  }))
  const { kennung, idHQ } = anfang.sicht
  const form = useForm<BaumValues>({
    resolver: baumResolver,
    defaultValues: { ...anfang.werte, ...(entwurf?.werte as BaumValues | undefined) },
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const sicherung = useEntwurf({
    name: kennung,
    kennung,
    idHQ,
    form,
    lohnt: (values) => BAUM_FELDER.some((one) => values[one] !== anfang.werte[one]),
  })
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const page = useRef<HTMLFormElement>(null)
  const disarm = useUnsavedChanges(sicherung.fehler !== null)
  const verwirf = () => {
    sicherung.ende()
    void verwirfEntwurf(db, sub, kennung, 'keines').finally(onFertig)
  }
  const refused = anfang.sicht.stand === 'abgelehnt' ? (anfang.antwort?.feld ?? feld) : undefined
  const sentence = useRegeltext(anfang.sicht.stand === 'abgelehnt' ? (anfang.antwort?.regel ?? null) : null)
  useEffect(() => {
    if (refused === undefined || !BAUM_FELDER.includes(refused as FormFeld)) return
    form.setError(refused as FormFeld, { type: 'server', message: sentence })
    zeigeFehler(page.current, refused)
  }, [form, refused, sentence])

  const save = () =>
    form.handleSubmit(
      async (values) => {
        if (busy) return
        setBusy(true)
        setFault(null)
        try {
          const werte = changesOf(BAUM_FELDER, anfang.sicht.werte, toBaumWerte(values)) as Partial<BaumWerte>
          sicherung.ende()
          await speichereAenderung(db, {
            sub,
            kennung,
            werte,
            gesehen: { version: anfang.version, werte: anfang.sicht.werte },
            entwurf: kennung,
            jetzt: new Date(),
          })
          disarm()
          toast.success(t('Die Änderung ist auf diesem Gerät gespeichert.'))
          onFertig()
        } catch (error) {
          setFault(error instanceof ToldError ? error.message : messageOf(error))
          setBusy(false)
        }
      },
      (errors) => {
        setFault(t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.'))
        zeigeFehler(
          page.current,
          BAUM_FELDER.find((one) => errors[one] !== undefined),
        )
      },
    )()
  return (
    <form ref={page} className="erf-form" noValidate onSubmit={(event) => event.preventDefault()}>
      <header className="erf-kopf">
        <h2>{t('{name} ändern', { name: baumName(anfang.sicht.werte) })}</h2>
      </header>
      <BaumFormular form={form} paket={paket} neu={false} />
      <div className="erf-leiste">
        {(fault ?? sicherung.fehler?.message) && (
          <p className="field-error" role="alert">
            {fault ?? sicherung.fehler?.message}
          </p>
        )}
        <div className="erf-taten">
          <Button
            disabled={busy}
            onClick={() => {
              if (BAUM_FELDER.some((one) => form.getValues(one) !== anfang.werte[one])) setLeaving(true)
              else verwirf()
            }}
          >
            {t('Abbrechen')}
          </Button>
          <Button variant="primary" icon="check" busy={busy} onClick={() => void save()}>
            {t('Speichern')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Eingaben verwerfen?')}
        confirmLabel={t('Verwerfen')}
        cancelLabel={t('Weiter bearbeiten')}
        onConfirm={verwirf}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Was Sie an diesem Baum geändert haben, ist noch nicht gespeichert.')}</p>
      </ConfirmDialog>
    </form>
  )
}
