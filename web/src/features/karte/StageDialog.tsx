// Sets one stage for many plans.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { KarteStatus } from '#contract/karte.ts'
import { type BulkFailure, runBulk } from '../../list/bulk.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Notice } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { KARTE_LISTS, karteKey, setKarte } from './karte.data.ts'
import { STATUS, statusName } from './karte-words.ts'

interface Plan {
  readonly id: number
  readonly map_name: string
  readonly status: KarteStatus
}

export function StageDialog({
  rows,
  onDone,
  onClose,
}: {
  rows: readonly Plan[]
  onDone: () => void
  onClose: () => void
}) {
  const client = useQueryClient()
  // The likely next stage for most of them.
  const [status, setStatus] = useState<KarteStatus>(
    () =>
      STATUS[Math.min(STATUS.length - 1, Math.max(...rows.map((row) => STATUS.indexOf(row.status))) + 1)]!,
  )
  const [done, setDone] = useState<number | null>(null)
  const [failures, setFailures] = useState<readonly BulkFailure<Plan>[]>([])
  const back = rows.filter((row) => STATUS.indexOf(row.status) > STATUS.indexOf(status)).length
  async function carryOut() {
    setDone(0)
    const outcome = await runBulk(
      rows,
      ({ id }) => setKarte(id, { status }),
      new AbortController().signal,
      setDone,
    )
    setDone(null)
    void client.invalidateQueries({ queryKey: KARTE_LISTS })
    for (const { id } of outcome.done) void client.invalidateQueries({ queryKey: karteKey(id) })
    setFailures(outcome.failures)
    if (outcome.failures.length > 0) return
    toast.success(
      rows.length === 1
        ? t('1 Plan: {stand}.', { stand: statusName(status) })
        : t('{n} Pläne: {stand}.', { n: rows.length, stand: statusName(status) }),
    )
    onDone()
    onClose()
  }
  return (
    <FormDialog
      title={
        rows.length === 1
          ? t('Stand eines Plans setzen')
          : t('Stand von {n} Plänen setzen', { n: rows.length })
      }
      submitLabel={
        done === null ? t('Setzen') : t('{done} von {total} erledigt …', { done, total: rows.length })
      }
      width="small"
      busy={done !== null}
      dirty={false}
      unsaved=""
      fault={
        failures.length === 0
          ? null
          : failures.map(({ row, error }) => `${row.map_name}: ${messageOf(error)}`).join(' · ')
      }
      faultTitle={t('Nicht alles ist erledigt')}
      onSubmit={carryOut}
      onClose={onClose}
    >
      <SelectField
        label={t('Neuer Stand')}
        value={status}
        onChange={({ target }) => setStatus(target.value as KarteStatus)}
        options={STATUS.map((value) => ({ value, label: statusName(value) }))}
      />
      {back > 0 && (
        <Notice tone="warning">
          {back === 1
            ? t('Ein Plan ist schon weiter und wird zurückgestellt.')
            : t('{n} Pläne sind schon weiter und werden zurückgestellt.', { n: back })}
        </Notice>
      )}
    </FormDialog>
  )
}
