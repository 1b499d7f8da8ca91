// Columns that the list of customers reads.
import type { Kunde } from '#contract/kunde.ts'

export const LIST_COLUMNS = [
  'client_id',
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'bundesland',
  'epsg',
  'ap_gender',
  'ap_vorname',
  'ap_nachname',
  'ap_tel',
  'ordner',
  'kataster_status',
  'geaendert_am',
  'geaendert_von',
] as const satisfies readonly (keyof Kunde)[]
export type KundeRow = Pick<Kunde, (typeof LIST_COLUMNS)[number]>
