// Later check-ups of a tree, newest first.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HabitatInspection, InspectionResult } from '#contract/habitat.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Badge, Card, DateText } from '../../ui/Display.tsx'
import { SelectField, TextAreaField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { formatDate } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import type { Tree } from '../../record/habitat/tree.ts'
import { type HabitatRights, inspectionsQuery, useInspection } from './habitat.data.ts'
import {
  fieldLabel,
  INSPECTIONS,
  inspectionName,
  inspectionTone,
} from '../../record/habitat/habitat-words.ts'
import { newId } from '../../data/new-id.ts'

export function Inspections({ baum, rights }: { baum: Tree; rights: HabitatRights }) {
  const query = useQuery(inspectionsQuery(baum.id))
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<HabitatInspection | null>(null)
  const add = rights.mayChange && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {t('Kontrolle eintragen')}
    </Button>
  )
  const { data } = query
  return (
    <Card title={t('Kontrollen')} actions={data && data.length > 0 && add}>
      {data === undefined ? (
        query.isPending ? (
          <Skeleton lines={4} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : data.length === 0 ? (
        <EmptyState icon="calendar" title={t('Noch keine Kontrolle')} action={add}>
          {rights.mayChange
            ? t('Tragen Sie ein, wann jemand nach dem Baum gesehen hat und was er vorfand.')
            : t('Hier steht, wann jemand nach dem Baum gesehen hat und was er vorfand.')}
        </EmptyState>
      ) : (
        <DataTable
          caption={t('Kontrollen')}
          columns={columns(rights.erase ? setRemoving : null)}
          rows={data}
          rowKey={({ id }) => id}
        />
      )}
      {adding && <EnterInspection baum={baum} onClose={() => setAdding(false)} />}
      {removing && <RemoveInspection baum={baum} inspection={removing} onClose={() => setRemoving(null)} />}
    </Card>
  )
}

/** `onRemove` is null where nobody may delete. */
const columns = (
  onRemove: ((inspection: HabitatInspection) => void) | null,
): readonly Column<HabitatInspection>[] => [
  { key: 'datum', title: fieldLabel('datum'), cell: ({ datum }) => <DateText value={datum} /> },
  {
    key: 'ergebnis',
    title: fieldLabel('ergebnis'),
    cell: ({ ergebnis }) => <Badge tone={inspectionTone(ergebnis)}>{inspectionName(ergebnis)}</Badge>,
  },
  { key: 'wer', title: fieldLabel('kontrolleur'), cell: ({ kontrolleur }) => kontrolleur ?? '–' },
  { key: 'bemerkung', title: fieldLabel('bemerkung'), cell: ({ bemerkung }) => bemerkung ?? '–' },
  ...(onRemove !== null
    ? [
        {
          key: 'weg',
          title: '',
          cell: (inspection: HabitatInspection) => (
            <IconButton
              icon="trash"
              size="small"
              label={t('Kontrolle vom {tag} löschen', { tag: formatDate(inspection.datum) })}
              onClick={() => onRemove(inspection)}
            />
          ),
        },
      ]
    : []),
]

interface RemoveProps {
  baum: Tree
  inspection: HabitatInspection
  onClose: () => void
}
function RemoveInspection({ baum, inspection, onClose }: RemoveProps) {
  const { remove } = useInspection(baum.id)
  return (
    <ConfirmDialog
      open
      danger
      title={t('Kontrolle löschen?')}
      record={formatDate(inspection.datum)}
      confirmLabel={t('Löschen')}
      busy={remove.isPending}
      onConfirm={() => remove.mutateAsync(inspection.id).then(onClose)}
      onCancel={onClose}
    >
      {t('Das lässt sich nicht rückgängig machen.')}
    </ConfirmDialog>
  )
}

function dayFault(text: string): string | undefined {
  const day = parseDay(text)
  if (day === null) return dayExpected()
  return day >= '1950-01-01' && day <= dayAhead(1) ? undefined : t('Bitte einen Tag zwischen 1950 und heute.')
}

function EnterInspection({ baum, onClose }: { baum: Tree; onClose: () => void }) {
  const { add } = useInspection(baum.id)
  const [identifier] = useState(newId)
  const [todayText] = useState(() => formatDate(today()))
  const [datum, setDatum] = useState(todayText)
  const [result, setResult] = useState<InspectionResult>('vorhanden')
  const [remark, setRemark] = useState('')
  const [asked, setAsked] = useState(false)
  const fault = dayFault(datum)
  const dirty = datum !== todayText || result !== 'vorhanden' || remark.trim() !== ''
  const disarm = useUnsavedChanges(dirty)
  const submit = () => {
    setAsked(true)
    if (fault !== undefined) return
    add.mutate(
      {
        kennung: identifier,
        datum: parseDay(datum)!,
        ergebnis: result,
        bemerkung: remark.trim() === '' ? null : remark.trim(),
      },
      {
        onSuccess: () => {
          disarm()
          toast.success(t('Die Kontrolle ist eingetragen.'))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title={t('Kontrolle eintragen')}
      submitLabel={t('Eintragen')}
      busy={add.isPending}
      dirty={dirty}
      unsaved={t('Die Kontrolle ist noch nicht gespeichert.')}
      fault={add.isError ? messageOf(add.error) : null}
      faultTitle={t('Nicht gespeichert')}
      onSubmit={submit}
      onClose={onClose}
    >
      <DateField
        label={fieldLabel('datum')}
        required
        value={datum}
        error={asked ? fault : undefined}
        onChange={({ target }) => setDatum(target.value)}
      />
      <SelectField
        label={fieldLabel('ergebnis')}
        value={result}
        options={INSPECTIONS.map((value) => ({ value, label: inspectionName(value) }))}
        hint={
          result === 'nicht_gefunden'
            ? t('Ist der Baum weg? Dann tragen Sie auch seinen Verlust ein.')
            : undefined
        }
        onChange={({ target }) => setResult(target.value as InspectionResult)}
      />
      <TextAreaField
        label={fieldLabel('bemerkung')}
        maxLength={2000}
        value={remark}
        onChange={({ target }) => setRemark(target.value)}
      />
    </FormDialog>
  )
}
