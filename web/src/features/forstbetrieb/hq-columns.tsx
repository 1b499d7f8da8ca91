// Columns of the list of headquarters that show one declared field (domain/hq-fields.ts).
import type { HqRow } from '#contract/forstbetrieb.ts'
import { columnsWith } from '#domain/fields.ts'
import { HQ_FIELDS, type HqField, hqField, SWITCH_FIELDS, type SwitchField } from '#domain/hq-fields.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { hqLabel, showHqValue } from '../../record/hq/hq-fields.ts'
import { DateText, NumberText } from '../../ui/Display.tsx'
import { day } from '../../ui/export/cells.ts'
import { formatNumber } from '../../ui/format.ts'

type Shown = Pick<ListColumn<HqRow>, 'cell' | 'exported' | 'align' | 'sum'>

/** By the kind of the field. */
function shown(column: HqField | SwitchField): Shown {
  switch (hqField(column).kind) {
    case 'area': {
      const hectares = (row: HqRow) => row[column] as number | null
      return {
        align: 'end',
        cell: (row) => <NumberText value={hectares(row)} digits={2} unit="ha" />,
        exported: hectares,
        sum: {
          column,
          of: hectares,
          digits: 2,
          show: (decimal) => `${formatNumber(Number(decimal), 2)}\u00A0ha`,
        },
      }
    }
    case 'date': {
      const date = (row: HqRow) => row[column] as string | null
      return { cell: (row) => <DateText value={date(row)} />, exported: (row) => day(date(row)) }
    }
    default: {
      const text = (row: HqRow) => showHqValue(column, row[column])
      return { cell: (row) => <Clip text={text(row)} />, exported: (row) => text(row) || null }
    }
  }
}

export const hqColumn = (
  column: HqField | SwitchField,
  more: Pick<ListColumn<HqRow>, 'key'> & Partial<Pick<ListColumn<HqRow>, 'title' | 'sortable' | 'optional'>>,
): ListColumn<HqRow> => ({ title: hqLabel(column), ...shown(column), ...more })

/** The fields declared with a plain column in lists, hidden at first. */
export const declaredColumns = (sorted: readonly string[]): readonly ListColumn<HqRow>[] =>
  columnsWith({ ...HQ_FIELDS, ...SWITCH_FIELDS }, 'list').map((column) => {
    const key = hqField(column).list ?? column
    return hqColumn(column, { key, sortable: sorted.includes(key), optional: true })
  })
