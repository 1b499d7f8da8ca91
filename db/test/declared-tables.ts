// The tables whose columns are declared (domain/fields.ts), and what of them the database must say the same.
import { BENUTZER_FIELDS } from '#domain/benutzer-fields.ts'
import type { Field, Fields, Kind } from '#domain/fields.ts'
import { HABITATBAUM_FIELDS } from '#domain/habitatbaum-fields.ts'
import { HQ_FIELDS, SWITCH_FIELDS } from '#domain/hq-fields.ts'
import { KUNDE_FIELDS } from '#domain/kunde-fields.ts'

/** Types of the database by the kind of a field. */
export const TYPES: Readonly<Record<Kind, readonly string[]>> = {
  line: ['text'],
  phone: ['text'],
  plz: ['text'],
  land: ['text'],
  country: ['text'],
  gender: ['text'],
  epsg: ['integer'],
  email: ['text'],
  birthday: ['date'],
  sex: ['text'],
  app: ['text'],
  boolean: ['boolean'],
  number: ['bigint', 'integer'],
  date: ['date'],
  moment: ['timestamp with time zone'],
  area: ['numeric'],
  levels: ['text[]'],
  text: ['text'],
  choice: ['text'],
  species: ['text'],
  structures: ['jsonb'],
  amount: ['numeric'],
  degrees: ['double precision'],
  point: ['geometry'],
  uuid: ['uuid'],
}

export interface DeclaredTable {
  readonly name: string
  readonly fields: Fields
  /** Columns that people write besides the inputs; without this all are written by procedures. */
  readonly writes?: { readonly insert?: readonly string[]; readonly update?: readonly string[] }
  /** A view for lists that has every input. */
  readonly view?: string
}
export const DECLARED: readonly DeclaredTable[] = [
  // Folder and Kataster have their own procedures, which run as their caller.
  { name: 'kunde', fields: KUNDE_FIELDS, writes: { insert: [], update: ['ordner', 'kataster_status'] } },
  { name: 'benutzer', fields: BENUTZER_FIELDS },
  // So are the levels.
  { name: 'hq', fields: HQ_FIELDS, writes: { insert: ['client_id'], update: ['ebenen'] }, view: 'hq_liste' },
  { name: 'kunde_hq', fields: SWITCH_FIELDS, writes: { update: [] }, view: 'hq_liste' },
  {
    name: 'habitatbaeume',
    fields: HABITATBAUM_FIELDS,
    writes: { insert: ['kennung', 'idHQ'], update: [] },
    view: 'habitatbaeume_liste',
  },
]

/** A row of each table; whose headquarters get switches by themselves. */
export const ROWS = `
  insert into app.kunde (client_id, name, strasse, plz, ort) values (901, 'A', 'B', '01067', 'C');
  insert into app.benutzer (user_id, email, username) values (901, 'a@b.example', 'a');
  insert into app.hq ("idHQ", client_id, "sHQ") values (901, 901, 'A');
  insert into app.habitatbaeume
      (id, client_id, "idHQ", art, lat, lon, markierung_art, verlust_datum, verlust_grund)
    values (901, 901, 901, 'bu', 51, 10, 'band', '2026-01-01', 'brand');`

const repeated = (length: number) => `repeat('x', ${length})`

/** Expressions that are just right and just wrong for an input. */
export function edgesOf(field: Field): { right: readonly string[]; wrong: readonly string[] } {
  const { kind, longest = 0, choices = {}, atLeast, atMost, decimals = 7 } = field
  switch (kind) {
    case 'line':
      return { right: [repeated(longest)], wrong: [repeated(longest + 1), `'a' || chr(10) || 'b'`] }
    case 'text':
      return { right: [repeated(longest), `'a' || chr(10) || 'b'`], wrong: [repeated(longest + 1)] }
    case 'choice':
      return { right: Object.keys(choices).map((code) => `'${code}'`), wrong: [`'fremd'`] }
    case 'structures':
      return { right: [`'[]'`], wrong: [`'[{"code": "1.1"}]'`] }
    case 'moment':
      return { right: [`'1980-01-06'`, `'2099-12-31'`], wrong: [`'1980-01-05'`, `'2100-01-02'`] }
    default: {
      const step = 10 ** -decimals
      const past = [atLeast === undefined ? [] : atLeast - step, atMost === undefined ? [] : atMost + step]
      return {
        right: [atLeast ?? [], atMost ?? []].flat().map(String),
        wrong: past.flat().map((number) => number.toFixed(decimals)),
      }
    }
  }
}
