// The cells of the list of headquarters that may be changed there: those of its master data, by the provider's
// admins.
import type { Hq } from '#contract/hq.ts'
import { HQ_INPUTS, type HqField, hqField } from '#domain/hq-fields.ts'
import { hasOneOf } from '#domain/roles.ts'
import type { Cells } from '../../list/cell-edit.ts'
import { openCell } from '../../record/cell-editing.tsx'
import { HQ, type HqValues } from '../../record/hq/hq-form.ts'
import { refreshHq } from '../../record/hq/hq-record.data.ts'

const COLUMNS: Readonly<Record<string, HqField>> = { name: 'sHQ', flaeche: 'dcFLAEHB', fe: 'dtFE' }

export const hqCells: Cells = {
  columns: (roles) =>
    hasOneOf(roles, ['ogf_admin'])
      ? Object.keys(COLUMNS).filter((column) => HQ_INPUTS.some((field) => field === COLUMNS[column]))
      : [],
  open: openCell<HqField, Hq, HqValues>({
    kind: HQ,
    table: 'hq',
    key: 'idHQ',
    columns: COLUMNS,
    look: (field) => {
      const { kind, longest } = hqField(field)
      return {
        inputMode: kind === 'area' ? ('decimal' as const) : ('text' as const),
        ...(longest !== undefined && { maxLength: longest }),
      }
    },
    tell: refreshHq,
  }),
}
