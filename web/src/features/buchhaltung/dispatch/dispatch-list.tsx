// Column and filter for lists of documents: whether they were sent.
import type { OneFilter } from '../../../list/filter-kinds.ts'
import type { ListColumn } from '../../../list/list.ts'
import { Badge } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import {
  DISPATCH_STATUSES,
  DISPATCH_TONES,
  type DispatchStatus,
  dispatchStatusText,
} from './dispatch-words.ts'

interface TableRow {
  /** Null for a draft. */
  readonly versand: DispatchStatus | null
}
export const dispatchColumn = <Row extends TableRow>(): ListColumn<Row> => ({
  key: 'versand',
  title: t('Versand'),
  optional: true,
  cell: ({ versand }) =>
    versand === null ? (
      <span className="soft">–</span>
    ) : (
      <Badge tone={DISPATCH_TONES[versand]}>{dispatchStatusText(versand)}</Badge>
    ),
  exported: ({ versand }) => (versand === null ? null : dispatchStatusText(versand)),
})
export const DISPATCH_FILTER: OneFilter<TableRow> = {
  kind: 'one',
  key: 'versand',
  label: () => t('Versand'),
  options: () => DISPATCH_STATUSES.map((value) => ({ value, label: dispatchStatusText(value) })),
}
