// Captures a new tree, and then the next one. Unsaved input is restored when the form is opened again.
import { TREE_INPUTS } from '#domain/habitatbaum-fields.ts'
import { useEffect, useRef, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import {
  treeResolver,
  type TreeFormValues,
  newTree,
  toTreeValues,
} from '../../record/habitat/habitat-form.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'
import { newId } from '../../data/new-id.ts'
import { useClearOfBar } from '../../record/use-clear-of-bar.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDate, formatDateTime } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { deviceClock, presentTime } from './device-clock.ts'
import { TreeForm } from './TreeForm.tsx'
import './capture.css'
import { type FieldworkDraft, type FieldworkPacket, persistent, type Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { PhotoBar, StillReading } from './PhotoBar.tsx'
import { discardDraft, draftName, fetchNewDraft, saveNew } from './queue.ts'
import { useDraft } from './use-draft.ts'
import { hasContent, nextTree } from './suggestions.ts'

interface Start {
  readonly kennung: Identifier
  readonly werte: TreeFormValues
  readonly entwurf: FieldworkDraft | null
}

export function FieldworkEntry({ packet }: { packet: FieldworkPacket }) {
  const { db, sub, name } = useFieldwork()
  const [start, setStart] = useState<Start | null>(null)
  const [fault, setError] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    void fetchNewDraft(db, sub, 'neu', packet.idHQ).then(
      (own) => {
        if (gone) return
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
  if (fault !== null) return <ErrorState error={fault} />
  if (start === null) return <Skeleton lines={8} />
  return (
    <FormBody
      key={start.kennung}
      packet={packet}
      anfang={start}
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
function FormBody(props: Props) {
  const { packet, anfang } = props
  const { form, entwurf, page, busy, fault, persist, discard, countPhotos } = useEntry(props)
  const [taking, setTaking] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const shown = fault ?? entwurf.fehler?.message ?? null
  const bar = useRef<HTMLDivElement>(null)
  useClearOfBar(bar, shown)
  return (
    <form ref={page} className="erf-form" noValidate onSubmit={(event) => event.preventDefault()}>
      <h2 className="visually-hidden">{t('Neuer Habitatbaum')}</h2>
      {anfang.entwurf !== null && (
        <Restored draft={anfang.entwurf} busy={taking} onDiscard={() => setLeaving(true)} />
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
              onCount={countPhotos}
              onTaking={setTaking}
            />
          </section>
        }
      />
      <div ref={bar} className="erf-leiste">
        {shown !== null && (
          <p className="field-error" role="alert">
            {shown}
          </p>
        )}
        <div className="erf-taten">
          <Button busy={busy || taking} onClick={() => void persist(false)}>
            {t('Speichern')}
          </Button>
          <Button variant="primary" busy={busy || taking} onClick={() => void persist(true)}>
            {t('Speichern und nächster')}
          </Button>
        </div>
        {taking && <StillReading />}
        {entwurf.savedAt !== null && shown === null && !taking && (
          <p className="soft erf-gesichert">{t('Entwurf auf diesem Gerät gesichert')}</p>
        )}
      </div>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Begonnene Erfassung verwerfen?')}
        confirmLabel={t('Verwerfen')}
        onConfirm={discard}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Die Angaben und ihre Fotos sind dann weg.')}</p>
      </ConfirmDialog>
    </form>
  )
}

interface RestoredProps {
  draft: FieldworkDraft
  busy: boolean
  onDiscard: () => void
}
function Restored({ draft, busy, onDiscard }: RestoredProps) {
  return (
    <Notice
      tone="info"
      title={t('Begonnene Erfassung')}
      actions={
        <Button size="small" busy={busy} onClick={onDiscard}>
          {t('Verwerfen')}
        </Button>
      }
    >
      {t(
        'Was Sie am {when} begonnen haben, ist wieder da. Prüfen Sie die Position, wenn Sie inzwischen ' +
          'woanders stehen.',
        { when: formatDateTime(draft.am) },
      )}
    </Notice>
  )
}

const faultText = (error: unknown): string =>
  error instanceof ToldError
    ? error.message
    : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.')

/** The form with its draft on the device; `persist` saves the tree and goes to the next one or to its page. */
function useEntry({ packet, anfang, onNext, onDiscarded }: Props) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const form = useForm<TreeFormValues>({
    resolver: treeResolver,
    defaultValues: anfang.werte,
    mode: 'onTouched',
    shouldFocusError: false,
  })
  useRightDay(form)
  const { entwurf, countPhotos } = useEntryDraft(form, packet, anfang)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const page = useRef<HTMLFormElement>(null)
  // Leaving loses input only if the device could not store the draft.
  const disarm = useUnsavedChanges(entwurf.fehler !== null)

  async function store(values: TreeFormValues, advance: boolean): Promise<void> {
    if (busy) return
    setBusy(true)
    setFault(null)
    try {
      const given = toTreeValues(values)
      entwurf.ende()
      const identifier = await saveNew(db, {
        sub,
        kennung: anfang.kennung,
        idHQ: packet.idHQ,
        werte: given,
        entwurf: draftName('neu', packet.idHQ),
        ersatz: newId(),
        present: presentTime(),
      })
      disarm()
      toast.success(t('{name} ist auf diesem Gerät gespeichert.', { name: treeName(given) }))
      if (advance) {
        onNext(values)
        page.current?.closest('.feld-mitte')?.scrollTo({ top: 0 })
        window.scrollTo({ top: 0 })
      } else view.go(`/feld/baum/${identifier}`)
    } catch (error) {
      setFault(faultText(error))
      setBusy(false)
    }
  }
  const persist = (advance: boolean) =>
    form.handleSubmit(
      (values) => store(values, advance),
      (errors) => {
        setFault(t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.'))
        showFault(
          page.current,
          TREE_INPUTS.find((field) => errors[field] !== undefined),
        )
      },
    )()
  const discard = () => {
    entwurf.ende()
    void discardDraft(db, sub, draftName('neu', packet.idHQ), anfang.kennung).then(
      onDiscarded,
      (error: unknown) => setFault(faultText(error)),
    )
  }
  return { form, entwurf, page, busy, fault, persist, discard, countPhotos }
}

/** The day that the form began with is the clock's: once it is known to be wrong, another may be today. */
function useRightDay(form: UseFormReturn<TreeFormValues>) {
  useEffect(() => {
    let given = formatDate(today())
    return deviceClock.subscribe(() => {
      const right = formatDate(today())
      if (form.getValues('erfasst_am') === given) form.setValue('erfasst_am', right)
      given = right
    })
  }, [form])
}

/** The form's draft; photos alone make it worth keeping. */
function useEntryDraft(form: UseFormReturn<TreeFormValues>, { idHQ }: FieldworkPacket, opening: Start) {
  const { name } = useFieldwork()
  const photos = useRef(0)
  const [start] = useState(() => ({ ...nextTree(newTree(name), opening.werte) }))
  const draft = useDraft({
    name: draftName('neu', idHQ),
    kennung: opening.kennung,
    idHQ,
    form,
    worthKeeping: (values) => photos.current > 0 || hasContent(values, start),
  })
  const countPhotos = (count: number) => {
    photos.current = count
    if (count > 0) draft.saveNow()
  }
  return { entwurf: draft, countPhotos }
}

/** Scrolls to the first invalid field, also if it is folded away. */
export function showFault(page: HTMLElement | null, field: string | undefined) {
  if (page === null || field === undefined) return
  const target =
    field === 'lat' || field === 'lon' || field === 'genauigkeit_m'
      ? page.querySelector<HTMLElement>('.erf-lage')
      : page.querySelector<HTMLElement>(`[name="${field}"]`)
  target?.closest('details')?.setAttribute('open', '')
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
