// Dialogs to capture a check-up or a loss of a tree.

import { type ReactNode, useState } from 'react'
import type { InspectionResult, LossReason } from '#contract/habitat.ts'
import {
  fieldLabel,
  INSPECTIONS,
  inspectionName,
  LOSSES,
  lossName,
} from '../../record/habitat/habitat-words.ts'
import { newId } from '../../data/new-id.ts'
import { DateField } from '../../ui/DateField.tsx'
import { TextAreaField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { formatDate } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { presentTime } from './device-clock.ts'
import type { Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import type { TreeSituation } from './queue-read.ts'
import { saveChange } from './queue.ts'
import { Picker } from './Picker.tsx'

function dayFault(text: string): string | undefined {
  const day = parseDay(text)
  if (day === null) return dayExpected()
  return day >= '1950-01-01' && day <= dayAhead(1) ? undefined : t('Bitte einen Tag zwischen 1950 und heute.')
}
const faultOf = (error: unknown): string =>
  error instanceof ToldError
    ? error.message
    : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.')

interface FrameProps {
  title: string
  dirty: boolean
  unsaved: string
  savedText: string
  /** Resolves to false if something is missing; the field shows the fault. */
  persist: () => Promise<boolean>
  onClose: () => void
  children: ReactNode
}
function Frame({ title, dirty, unsaved, savedText, persist, onClose, children }: FrameProps) {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const disarm = useUnsavedChanges(dirty)
  const save = async () => {
    setBusy(true)
    try {
      if (await persist()) {
        disarm()
        toast.success(savedText)
        onClose()
        return
      }
    } catch (error) {
      setFailed(faultOf(error))
    }
    setBusy(false)
  }
  return (
    <FormDialog
      title={title}
      submitLabel={t('Eintragen')}
      busy={busy}
      dirty={dirty}
      unsaved={unsaved}
      fault={failed}
      faultTitle={t('Nicht gespeichert')}
      onSubmit={save}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}

interface DayProps {
  label: string
  value: string
  asked: boolean
  onChange: (value: string) => void
}
const Day = ({ label, value, asked, onChange }: DayProps) => (
  <DateField
    label={label}
    required
    value={value}
    error={asked ? dayFault(value) : undefined}
    onChange={({ target }) => onChange(target.value)}
  />
)

export function InspectionDialog({ kennung, onClose }: { kennung: Identifier; onClose: () => void }) {
  const { db, sub, name } = useFieldwork()
  const [own] = useState(newId)
  const [todayText] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(todayText)
  const [result, setResult] = useState<InspectionResult>('vorhanden')
  const [remark, setRemark] = useState('')
  const [asked, setAsked] = useState(false)
  return (
    <Frame
      title={t('Kontrolle eintragen')}
      dirty={datum !== todayText || result !== 'vorhanden' || remark.trim() !== ''}
      unsaved={t('Die Kontrolle ist noch nicht gespeichert.')}
      savedText={t('Die Kontrolle ist auf diesem Gerät gespeichert.')}
      persist={async () => {
        setAsked(true)
        if (dayFault(datum) !== undefined) return false
        const text = remark.trim()
        const inspection = {
          kennung: own,
          datum: parseDay(datum)!,
          ergebnis: result,
          kontrolleur: name,
          bemerkung: text === '' ? null : text,
        }
        await saveChange(db, { sub, kennung, kontrollen: [inspection], present: presentTime() })
        return true
      }}
      onClose={onClose}
    >
      <Picker
        label={fieldLabel('ergebnis')}
        value={result}
        options={INSPECTIONS.map((value) => ({ value, label: inspectionName(value) }))}
        onChange={setResult}
      />
      {result === 'nicht_gefunden' && (
        <p className="soft">{t('Ist der Baum weg? Dann tragen Sie auch seinen Verlust ein.')}</p>
      )}
      <Day label={fieldLabel('datum')} value={datum} asked={asked} onChange={setDatum} />
      <TextAreaField
        label={fieldLabel('bemerkung')}
        maxLength={2000}
        value={remark}
        onChange={({ target }) => setRemark(target.value)}
      />
    </Frame>
  )
}

export function LossDialog({
  lage: { treeView, baum },
  onClose,
}: {
  lage: TreeSituation
  onClose: () => void
}) {
  const { db, sub } = useFieldwork()
  const [viewed] = useState(() => ({ version: baum?.baum.version ?? null, werte: treeView.werte }))
  const [todayText] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(todayText)
  const [reason, setReason] = useState<LossReason | ''>('')
  const [asked, setAsked] = useState(false)
  return (
    <Frame
      title={t('Verlust eintragen')}
      dirty={datum !== todayText || reason !== ''}
      unsaved={t('Der Verlust ist noch nicht gespeichert.')}
      savedText={t('Der Verlust ist auf diesem Gerät gespeichert.')}
      persist={async () => {
        setAsked(true)
        if (dayFault(datum) !== undefined || reason === '') return false
        const values = { verlust_datum: parseDay(datum), verlust_grund: reason }
        await saveChange(db, {
          sub,
          kennung: treeView.kennung,
          werte: values,
          viewed,
          present: presentTime(),
        })
        return true
      }}
      onClose={onClose}
    >
      <p className="soft">{t('Ein verlorener Baum bleibt als Nachweis erhalten und zählt nicht mehr.')}</p>
      <Picker
        label={fieldLabel('verlust_grund')}
        value={reason}
        options={LOSSES.map((value) => ({ value, label: lossName(value) }))}
        error={asked && reason === '' ? t('Bitte wählen Sie den Grund.') : undefined}
        onChange={setReason}
      />
      <Day label={fieldLabel('verlust_datum')} value={datum} asked={asked} onChange={setDatum} />
    </Frame>
  )
}
