// The form of one tree in the field.
import { TREE_INPUTS, type TreeField } from '#domain/habitatbaum-fields.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import {
  treeResolver,
  type TreeFormValues,
  toTreeFormValues,
  toTreeValues,
} from '../../record/habitat/habitat-form.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import { changesOf } from '../../record/merge.ts'
import { messageOf } from '../../record/record-faults.ts'
import { useClearOfBar } from '../../record/use-clear-of-bar.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { presentTime } from './device-clock.ts'
import type { FieldworkDraft, FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { showFault } from './FieldworkEntry.tsx'
import type { TreeSituation } from './queue-read.ts'
import { saveChange, discardDraft } from './queue.ts'
import { useRuleText } from './rule-text.ts'
import { TreeForm } from './TreeForm.tsx'
import { useDraft } from './use-draft.ts'

interface EditFormProps {
  lage: TreeSituation
  entwurf: FieldworkDraft | undefined
  packet: FieldworkPacket
  /** The field that the server rejected. */
  feld: string | undefined
  onDone: () => void
}
export function TreeEdit({ lage, entwurf, packet, feld, onDone }: EditFormProps) {
  const { anfang, form, sicherung, page, busy, fault, save, discard } = useTreeEdit(
    lage,
    entwurf,
    feld,
    onDone,
  )
  const [leaving, setLeaving] = useState(false)
  const isChanged = () => TREE_INPUTS.some((one) => form.getValues(one) !== anfang.werte[one])
  const shown = fault ?? sicherung.fehler?.message
  const bar = useRef<HTMLDivElement>(null)
  useClearOfBar(bar, shown ?? null)
  return (
    <form ref={page} className="erf-form" noValidate onSubmit={(event) => event.preventDefault()}>
      <header className="erf-kopf">
        <h2>{t('{name} ändern', { name: treeName(anfang.treeView.werte) })}</h2>
      </header>
      <TreeForm form={form} packet={packet} neu={false} />
      <div ref={bar} className="erf-leiste">
        {shown && (
          <p className="field-error" role="alert">
            {shown}
          </p>
        )}
        <div className="erf-taten">
          <Button disabled={busy} onClick={() => (isChanged() ? setLeaving(true) : discard())}>
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
        onConfirm={discard}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Was Sie an diesem Baum geändert haben, ist noch nicht gespeichert.')}</p>
      </ConfirmDialog>
    </form>
  )
}

/**
 * Snapshot when the form opens: a sync meanwhile does not change the form; differences are handled on saving.
 */
const beginningOf = ({ treeView, baum, capture }: TreeSituation) => ({
  treeView,
  version: baum?.baum.version ?? null,
  werte: toTreeFormValues(treeView.werte),
  antwort: capture?.antwort ?? null,
})
type Beginning = ReturnType<typeof beginningOf>

/** The form with its draft on the device, and saving it. */
function useTreeEdit(
  situation: TreeSituation,
  draft: FieldworkDraft | undefined,
  field: string | undefined,
  onDone: () => void,
) {
  const { db, sub } = useFieldwork()
  const [start] = useState(() => beginningOf(situation))
  const { kennung, idHQ } = start.treeView
  const form = useForm<TreeFormValues>({
    resolver: treeResolver,
    defaultValues: { ...start.werte, ...(draft?.werte as TreeFormValues | undefined) },
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const backup = useDraft({
    name: kennung,
    kennung,
    idHQ,
    form,
    worthKeeping: (values) => TREE_INPUTS.some((one) => values[one] !== start.werte[one]),
  })
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const page = useRef<HTMLFormElement>(null)
  const disarm = useUnsavedChanges(backup.fehler !== null)
  useRejection(start, field, form, page)

  async function store(values: TreeFormValues): Promise<void> {
    if (busy) return
    setBusy(true)
    setFault(null)
    try {
      const { werte: before } = start.treeView
      const given = changesOf(TREE_INPUTS, before, toTreeValues(values)) as Partial<TreeValues>
      backup.ende()
      const viewed = { version: start.version, werte: before }
      await saveChange(db, { sub, kennung, werte: given, viewed, entwurf: kennung, present: presentTime() })
      disarm()
      toast.success(t('Die Änderung ist auf diesem Gerät gespeichert.'))
      onDone()
    } catch (error) {
      setFault(error instanceof ToldError ? error.message : messageOf(error))
      setBusy(false)
    }
  }
  const save = () =>
    form.handleSubmit(store, (errors) => {
      setFault(t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.'))
      showFault(
        page.current,
        TREE_INPUTS.find((one) => errors[one] !== undefined),
      )
    })()
  const discard = () => {
    backup.ende()
    void discardDraft(db, sub, kennung, 'keines').finally(onDone)
  }
  return { anfang: start, form, sicherung: backup, page, busy, fault, save, discard }
}

/** Shows the server's reason at the field that it rejected. */
function useRejection(
  { treeView, antwort }: Beginning,
  field: string | undefined,
  form: UseFormReturn<TreeFormValues>,
  page: RefObject<HTMLFormElement | null>,
): void {
  const isRejected = treeView.stand === 'abgelehnt'
  const refused = isRejected ? (antwort?.feld ?? field) : undefined
  const sentence = useRuleText(isRejected ? (antwort?.regel ?? null) : null)
  useEffect(() => {
    if (refused === undefined || !TREE_INPUTS.includes(refused as TreeField)) return
    form.setError(refused as TreeField, { type: 'server', message: sentence })
    showFault(page.current, refused)
  }, [form, page, refused, sentence])
}
