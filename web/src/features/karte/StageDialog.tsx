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

interface Props {
  rows: readonly Plan[]
  onDone: () => void
  onClose: () => void
}

const orderOf = ({ status }: Pick<Plan, 'status'>): number => STATUS.indexOf(status)
/** The likely next stage for most of them. */
const nextStage = (rows: readonly Plan[]): KarteStatus =>
  STATUS[Math.min(STATUS.length - 1, Math.max(...rows.map(orderOf)) + 1)]!

/** Sets them one after another; `done` counts while it runs. */
function useStage({ rows, onDone, onClose }: Props) {
  const client = useQueryClient()
  const [done, setDone] = useState<number | null>(null)
  const [failures, setFailures] = useState<readonly BulkFailure<Plan>[]>([])
  async function carryOut(status: KarteStatus): Promise<void> {
    setDone(0)
    const { signal } = new AbortController()
    const outcome = await runBulk(rows, ({ id }) => setKarte(id, { status }), signal, setDone)
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
  const fault =
    failures.length === 0
      ? null
      : failures.map(({ row, error }) => `${row.map_name}: ${messageOf(error)}`).join(' · ')
  return { done, fault, carryOut }
}

export function StageDialog(props: Props) {
  const { rows, onClose } = props
  const [status, setStatus] = useState(() => nextStage(rows))
  const { done, fault, carryOut } = useStage(props)
  const back = rows.filter((row) => orderOf(row) > STATUS.indexOf(status)).length
  return (
    <FormDialog
      title={
        rows.length === 1
          ? t('Status eines Plans setzen')
          : t('Status von {n} Plänen setzen', { n: rows.length })
      }
      submitLabel={
        done === null ? t('Setzen') : t('{done} von {total} erledigt …', { done, total: rows.length })
      }
      width="small"
      busy={done !== null}
      dirty={false}
      unsaved=""
      fault={fault}
      faultTitle={t('Nicht alles ist erledigt')}
      onSubmit={() => carryOut(status)}
      onClose={onClose}
    >
      <SelectField
        label={t('Neuer Status')}
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
