// Changing simple fields in the cells of a list: what a list declares, and what its cells say of themselves.
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Role } from '#domain/roles.ts'
import type { Option } from '../ui/Field.tsx'

/** A list whose cells may be changed; the code for it is loaded when somebody begins. */
export interface ListCells {
  readonly roles: readonly Role[]
  readonly load: () => Promise<Cells>
}
export interface Cells {
  /** Keys of the columns that a person with these roles may change. */
  readonly columns: (roles: readonly Role[]) => readonly string[]
  /** Reads the record again: what is shown may be older. */
  readonly open: (client: QueryClient, id: string, column: string) => Promise<OpenCell>
}
export interface OpenCell {
  readonly label: string
  readonly text: string
  /** Choices; without them it is typed. */
  readonly options?: readonly Option[]
  readonly maxLength?: number
  readonly inputMode?: 'text' | 'tel' | 'numeric' | 'decimal'
  readonly save: (text: string) => Promise<CellOutcome>
}
export type CellOutcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'saved'; readonly undo: () => Promise<unknown> }
  | { readonly kind: 'refused'; readonly fault: string }
  /** Somebody else changed the same field; null: the person goes on editing. */
  | {
      readonly kind: 'disputed'
      readonly dialog: (settle: (next: Promise<CellOutcome> | null) => void) => ReactNode
    }
