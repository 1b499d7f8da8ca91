// What one noun contributes to the tests of rights. Nouns added after the master data have their own file
// here.
import type { Cell } from '../attempt.ts'

export interface NounCells {
  /** Rows of the matrix by relation of schema app. */
  readonly relations?: Readonly<Record<string, Cell[]>>
  /** Rows of the matrix by procedure of schema app. */
  readonly procedures?: Readonly<Record<string, Cell[]>>
  /** SQL that inserts this noun's rows into the test world of world.ts, as forst_betrieb. */
  readonly world?: string
  /** Privileges of nutzer, in the notation of surface.sql.test.ts. */
  readonly tables?: readonly string[]
  /** Functions that run with the rights of forst_definer. */
  readonly definers?: readonly string[]
  /** Tables of schema app that belong to a person or to the provider and therefore have no client_id. */
  readonly personal?: readonly string[]
}
