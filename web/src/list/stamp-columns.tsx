// Columns at the end of nearly every list: date of the last change, and number.
import { DateText } from '../ui/Display.tsx'
import { moment } from '../ui/export/cells.ts'
import { t } from '../ui/text.ts'
import type { ListColumn } from './list.ts'

export const changedColumn = <Row extends { readonly geaendert_am: string }>(): ListColumn<Row> => ({
  key: 'geaendert',
  title: t('Geändert'),
  sortable: true,
  optional: true,
  cell: ({ geaendert_am }) => <DateText value={geaendert_am} />,
  exported: ({ geaendert_am }) => moment(geaendert_am),
})

export const numberColumn = <Row,>(numberOf: (row: Row) => number): ListColumn<Row> => ({
  key: 'nr',
  title: t('Nr.'),
  sortable: true,
  optional: true,
  align: 'end',
  width: '84px',
  cell: numberOf,
  exported: numberOf,
})
