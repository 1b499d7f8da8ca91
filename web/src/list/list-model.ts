// A list and what a person sees of it, for its parts.
import type { List, ListColumn, ListState } from './list.ts'
import type { ListRows } from './use-list-rows.ts'
import type { ListControl } from './use-list-state.ts'

export interface ListModel<Row> extends ListControl {
  readonly list: List<Row>
  readonly columns: readonly ListColumn<Row>[]
  /** Keys of the chosen columns; undefined for the default ones. */
  readonly visible: readonly string[] | undefined
  readonly choose: (columns: readonly string[] | undefined) => void
  readonly rows: ListRows<Row>
  /** The state that `rows` belong to; the controls may be briefly ahead of it. */
  readonly shown: ListState
}
