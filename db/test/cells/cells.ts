// What one noun brings to the tests of rights. Nouns that came after the master data keep their lines in a file of their own beside this one.
import type { Cell } from '../attempt.ts'

export interface NounCells {
  /** Rows of the matrix by relation of schema app. */
  readonly relations?: Readonly<Record<string, Cell[]>>
  /** Rows of the matrix by procedure of schema app. */
  readonly procedures?: Readonly<Record<string, Cell[]>>
  /** SQL that puts rows of this noun into the small world of world.ts, as forst_betrieb. */
  readonly world?: string
  /** Privileges of nutzer, as surface.sql.test.ts writes them. */
  readonly tables?: readonly string[]
  /** Functions that run with the rights of forst_definer. */
  readonly definers?: readonly string[]
  /** Tables of schema app that belong to a person or to the provider and so carry no client_id. */
  readonly personal?: readonly string[]
}
