// Headquarters (hq, "Forstbetrieb") and its feature switches (kunde_hq). The columns are declared in
// domain/hq-fields.ts.
import type { RowOf } from '#domain/fields.ts'
import type { HQ_FIELDS, SWITCH_FIELDS } from '#domain/hq-fields.ts'

export type Hq = Omit<RowOf<typeof HQ_FIELDS>, 'sortname' | 'suchtext'>
export type KundeHq = RowOf<typeof SWITCH_FIELDS>

/** What get_hqs_from_user and __o_get_hqs_from_user return, one per headquarters. */
export interface HqRecord {
  idHQ: number
  sHQ: string
  hq_status: string[]
  fb_enabled: boolean
  dtFE: string | null
  dcFLAEHB: number | string | null
}
