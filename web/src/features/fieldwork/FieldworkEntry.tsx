// Captures a new tree, and then the next one. Unsaved input is restored when the form is opened again.
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  TREE_FIELDS,
  treeResolver,
  type TreeFormValues,
  newTree,
  toTreeValues,
} from '../../record/habitat/habitat-form.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'
import { newId } from '../../record/habitat/new-id.ts'
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
import { TreeForm } from './TreeForm.tsx'
import './capture.css'
import { type FieldworkDraft, type FieldworkPacket, persistent, type Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { PhotoBar } from './PhotoBar.tsx'
import { fetchDraft, saveNew, discardDraft } from './queue.ts'
import { useDraft } from './use-draft.ts'
import { hasContent, nextTree } from './suggestions.ts'

const DRAFT_ID = 'neu'

interface Start {
  readonly kennung: Identifier
  readonly werte: TreeFormValues
  readonly entwurf: FieldworkDraft | null
}

export function FieldworkEntry({ packet }: { packet: FieldworkPacket }) {
  const { db, sub, name } = useFieldwork()
  const [anfang, setStart] = useState<Start | null>(null)
  const [fehler, setError] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    void fetchDraft(db, sub, DRAFT_ID).then(
      (entwurf) => {
        if (gone) return
        // A draft for another holding stays for when that holding's pack is open.
        const own = entwurf?.idHQ === packet.idHQ ? entwurf : undefined
        setStart({
          kennung: own?.kennung ?? newId(),
          werte: { ...newTree(name), ...(own?.werte as TreeFormValues | undefined) },
          entwurf: own ?? null,
        })
      },
      (error: unknown) => !gone && setError(error),
    )
    // Ask the browser once not to evict captured data when space runs out.
    void persistent()
    return () => {
      gone = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the form keeps its initial values
  }, [db, sub, packet.idHQ])
  if (fehler !== null) return <ErrorState error={fehler} />
  if (anfang === null) return <Skeleton lines={8} />
  return (
    <FormBody
      key={anfang.kennung}
      packet={packet}
      anfang={anfang}
      onNext={(previous) =>
        setStart({ kennung: newId(), werte: nextTree(newTree(name), previous), entwurf: null })
      }
      onDiscarded={() => setStart({ kennung: newId(), werte: newTree(name), entwurf: null })}
    />
  )
}

interface Props {
  packet: FieldworkPacket
  anfang: Start
  onNext: (previous: TreeFormValues) => void
  onDiscarded: () => void
}
function FormBody({ packet, anfang, onNext, onDiscarded }: Props) {
  const { db, sub, name } = useFieldwork()
  const view = useView()
  const form = useForm<TreeFormValues>({
    resolver: treeResolver,
    defaultValues: anfang.werte,
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const fotos = useRef(0)
  const [leer] = useState(() => newTree(name))
  const [start] = useState(() => ({ ...nextTree(leer, anfang.werte) }))
  const entwurf = useDraft({
    name: DRAFT_ID,
    kennung: anfang.kennung,
    idHQ: packet.idHQ,
    form,
    worthKeeping: (values) => fotos.current > 0 || hasContent(values, start),
  })
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const page = useRef<HTMLFormElement>(null)
  // Leaving loses input only if the device could not store the draft.
  const disarm = useUnsavedChanges(entwurf.fehler !== null)

  const persist = (advance: boolean) =>
    form.handleSubmit(
      async (values) => {
        if (busy) return
        setBusy(true)
        setFault(null)
        try {
          const werte = toTreeValues(values)
          entwurf.ende()
          const kennung = await saveNew(db, {
            sub,
            kennung: anfang.kennung,
            idHQ: packet.idHQ,
            werte,
            entwurf: DRAFT_ID,
            ersatz: newId(),
            present: new Date(),
          })
          disarm()
          toast.success(t('{name} ist auf diesem Gerät gespeichert.', { name: treeName(werte) }))
          if (advance) {
            onNext(values)
            page.current?.closest('.feld-mitte')?.scrollTo({ top: 0 })
            window.scrollTo({ top: 0 })
          } else view.go(`/feld/baum/${kennung}`)
        } catch (error) {
          setFault(
            error instanceof ToldError
              ? error.message
              : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.'),
          )
          setBusy(false)
        }
      },
      (errors) => {
        setFault(t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.'))
        showFault(
          page.current,
          TREE_FIELDS.find((feld) => errors[feld] !== undefined),
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
          {t(
            'Was Sie am {when} begonnen haben, ist wieder da. Prüfen Sie die Position, wenn Sie inzwischen woanders stehen.',
            {
              when: formatDateTime(anfang.entwurf.am),
            },
          )}
        </Notice>
      )}
      <TreeForm
        form={form}
        packet={packet}
        neu
        fotos={
          <section className="erf-teil" aria-label={t('Fotos')}>
            <PhotoBar
              baum={anfang.kennung}
              idHQ={packet.idHQ}
              stand="entwurf"
              onCount={(anzahl) => {
                fotos.current = anzahl
                if (anzahl > 0) entwurf.saveNow()
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
          <Button busy={busy} onClick={() => void persist(false)}>
            {t('Speichern')}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void persist(true)}>
            {t('Speichern und nächster')}
          </Button>
        </div>
        {entwurf.savedAt !== null && entwurf.fehler === null && fault === null && (
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
          void discardDraft(db, sub, DRAFT_ID, anfang.kennung).then(onDiscarded, (error: unknown) =>
            setFault(
              error instanceof ToldError
                ? error.message
                : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.'),
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

/** Scrolls to the first invalid field, also if it is folded away. */
export function showFault(page: HTMLElement | null, feld: string | undefined) {
  if (page === null || feld === undefined) return
  const target =
    feld === 'lat' || feld === 'lon' || feld === 'genauigkeit_m'
      ? page.querySelector<HTMLElement>('.erf-lage')
      : page.querySelector<HTMLElement>(`[name="${feld}"]`)
  target?.closest('details')?.setAttribute('open', '')
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
