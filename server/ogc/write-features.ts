// Creating, replacing, changing and deleting single features (OGC API Features, part 4, draft 20-002) with the
// caller's own rights: the policies decide, the triggers check every value and write the history.
import type { Transaction } from '#server/database/database.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Collection, Written } from './collections.ts'
import { type Column, type ColumnType, quoteName } from './columns.ts'
import { readInstant } from './cql2.ts'
import type { Crs } from './crs.ts'
import type { GivenFeature } from './feature-body.ts'
import type { Scope } from './scope.ts'
import { decimalsOf } from './statements.ts'
import { Values } from './sql-text.ts'

interface Place {
  readonly scope: Scope
  readonly collection: Collection
  readonly columns: ReadonlyMap<string, Column>
}
interface Asked extends Place {
  readonly given: GivenFeature
  readonly crs: Crs
}

const SQL_TYPE: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  uuid: 'uuid',
  integer: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
}

const writtenOf = ({ written, title }: Collection): Written => {
  if (written === null)
    throw new Refusal('not_allowed', `${title} lassen sich hier nur lesen, nicht einzeln ändern.`)
  return written
}

/** The number of the new feature. */
export async function createFeature(tx: Transaction, asked: Asked): Promise<string> {
  const { collection, columns, given } = asked
  const written = writtenOf(collection)
  const values = new Values()
  const assigned = new Map<string, string>()
  const here = ownerIn(asked, written)
  const whose = given.properties.get(written.owner) ?? here
  if (here !== null && whose !== here)
    throw new Refusal('bad_value', `${written.owner}: Diese Adresse ist die eines anderen.`)
  if (whose === null)
    throw new Refusal('bad_value', `${written.owner}: Bitte angeben, zu wem das Objekt gehört.`)
  if (given.geometry === undefined) throw new Refusal('bad_value', 'geometry: Die Geometrie fehlt.')
  const owner = valueOf(columnOf(columns, written.owner), whose, values)
  const place = written.place(placeOf(asked, values), owner)
  const fixed = new Map([[written.owner, owner], ...Object.entries(place)])
  for (const [name, value] of given.properties) {
    const column = columnOf(columns, name)
    if (fixed.has(name)) continue
    // What a program copies from another feature: the database sets it.
    if (!column.inserted && (value === null || name === 'id')) continue
    if (!column.inserted) throw notSettable(name)
    assigned.set(name, valueOf(column, value, values))
  }
  for (const [name, text] of fixed) assigned.set(name, text)
  const { rows } = await tx.query<{ id: string }>({
    text: `insert into app.${collection.relation} as t (${[...assigned.keys()].map(quoteName).join(', ')})
      values (${[...assigned.values()].join(', ')}) returning ${collection.key}::text as id`,
    values: values.list,
  })
  return rows[0]!.id
}

/** At the address of a customer or a holding nobody needs to say whose a feature is. */
function ownerIn({ scope }: Place, { owner }: Written): number | null {
  const number = scope.owner[owner]
  return number === undefined ? null : Number(number)
}

export interface Stored {
  readonly etag: string | null
  readonly properties: Readonly<Record<string, unknown>>
}

/** @throws Refusal 404 if the caller sees no such feature */
export async function readStored(
  tx: Transaction,
  { scope, collection, columns }: Place,
  id: string,
): Promise<Stored> {
  writtenOf(collection)
  const { relation, key } = collection
  const names = [...columns.keys()].map((name) => `t.${quoteName(name)}`).join(', ')
  const etag = columns.has('version') ? 't.version::text' : 'null::text'
  const values = new Values(scope.values)
  const { rows } = await tx.query<{ etag: string | null; properties: string }>({
    text: `select ${etag} as etag, (select row_to_json(p)::text from (select ${names}) p) as properties
      from app.${relation} t where ${scope.condition} and ${key} = ${values.add(id, 'bigint')}`,
    values: values.list,
  })
  const [row] = rows
  if (row === undefined) throw new Refusal('not_found', 'Dieses Objekt gibt es nicht.')
  return { etag: row.etag, properties: JSON.parse(row.properties) as Stored['properties'] }
}

/** Changes what is given; `whole` also resets what is not. The caller has checked the version. */
export async function changeFeature(
  tx: Transaction,
  asked: Asked,
  { id, stored, whole }: { readonly id: string; readonly stored: Stored; readonly whole: boolean },
): Promise<void> {
  const { collection, columns, given } = asked
  const written = writtenOf(collection)
  const values = new Values()
  const assigned = new Map<string, string>()
  if (whole) for (const { name, updated } of columns.values()) if (updated) assigned.set(name, 'default')
  if (whole && given.geometry === undefined) throw new Refusal('bad_value', 'geometry: Die Geometrie fehlt.')
  const moved = given.geometry !== undefined && !(await isSamePlace(tx, asked, id))
  const fixed = placed({ ...asked, values, stored, whole, written, moved })
  for (const [name, value] of given.properties) {
    const column = columnOf(columns, name)
    if (fixed.has(name)) continue
    if (column.updated) assigned.set(name, valueOf(column, value, values))
    // Programs send back what they have read.
    else if (JSON.stringify(value) !== JSON.stringify(stored.properties[name] ?? null))
      throw notSettable(name)
  }
  for (const [name, text] of fixed) assigned.set(name, text)
  if (assigned.size === 0) return
  const assignments = [...assigned].map(([name, text]) => `${quoteName(name)} = ${text}`)
  const { rowCount } = await tx.query({
    text: `update app.${collection.relation} as t set ${assignments.join(', ')}
      where ${collection.key} = ${values.add(id, 'bigint')} ${unchanged(stored, values)}`,
    values: values.list,
  })
  if (rowCount === 0) await refuseUntouched(tx, asked, id, stored)
}

/** Programs send the geometry back as they have read it, which is rounded: that is no other place. */
async function isSamePlace(tx: Transaction, asked: Asked, id: string): Promise<boolean> {
  const { collection, crs } = asked
  const values = new Values()
  const shown = (geometry: string) => `public.st_asgeojson(${geometry}, ${decimalsOf(crs)}, 0)`
  const { rows } = await tx.query<{ same: boolean | null }>({
    text: `select ${shown(`public.st_transform(${collection.geometry}, ${crs.epsg})`)}
        = ${shown(placeOf(asked, values))} as same
      from app.${collection.relation} t where ${collection.key} = ${values.add(id, 'bigint')}`,
    values: values.list,
  })
  return rows[0]?.same === true
}

/** What a place sets, whatever the properties say; empty without one. */
function placed(
  asked: Asked & {
    readonly values: Values
    readonly stored: Stored
    readonly whole: boolean
    readonly written: Written
    readonly moved: boolean
  },
): Map<string, string> {
  const { given, written, stored, whole, values, moved } = asked
  if (given.geometry === undefined) return new Map()
  if (!moved) return new Map(Object.keys(written.place('', '')).map((name) => [name, `t.${quoteName(name)}`]))
  const set = written.place(placeOf(asked, values), `t.${quoteName(written.owner)}`)
  const reset = written.ofPlace.filter((name) => {
    const said = given.properties.get(name)
    return said === undefined || (whole && said === stored.properties[name])
  })
  return new Map([...Object.entries(set), ...reset.map((name) => [name, 'default'] as const)])
}

/** Somebody else may have changed it since it was read. */
const unchanged = ({ etag }: Stored, values: Values): string =>
  etag === null ? '' : `and t.version = ${values.add(etag, 'integer')}`

async function refuseUntouched(tx: Transaction, place: Place, id: string, stored: Stored): Promise<never> {
  const now = await readStored(tx, place, id)
  throw new Refusal(now.etag === stored.etag ? 'not_allowed' : 'changed_meanwhile')
}

/** @throws Refusal 403 if the caller sees the feature and may not delete it */
export async function deleteFeature(
  tx: Transaction,
  asked: Place,
  { id, stored }: { readonly id: string; readonly stored: Stored },
): Promise<void> {
  const { collection } = asked
  writtenOf(collection)
  const values = new Values()
  const { rowCount } = await tx.query({
    text: `delete from app.${collection.relation} as t
      where ${collection.key} = ${values.add(id, 'bigint')} ${unchanged(stored, values)}`,
    values: values.list,
  })
  if (rowCount === 0) await refuseUntouched(tx, asked, id, stored)
}

function columnOf(columns: ReadonlyMap<string, Column>, name: string): Column {
  const column = columns.get(name)
  if (column === undefined)
    throw new Refusal('bad_value', `${name.slice(0, 60)}: Diese Eigenschaft gibt es hier nicht.`)
  return column
}
const notSettable = (name: string): Refusal =>
  new Refusal('bad_value', `${name}: Diese Eigenschaft lässt sich nicht setzen.`)

function valueOf({ name, type }: Column, value: unknown, values: Values): string {
  if (value === null) return 'null'
  const fits =
    type === 'json'
      ? typeof value === 'object'
      : type === 'boolean'
        ? typeof value === 'boolean'
        : type === 'integer' || type === 'number'
          ? typeof value === 'number' &&
            Number.isFinite(value) &&
            (type === 'number' || Number.isInteger(value))
          : typeof value === 'string' && value.length <= 10_000 && isOf(type, value)
  if (!fits) throw new Refusal('bad_value', `${name}: Dieser Wert hat den falschen Typ.`)
  return values.add(type === 'json' ? JSON.stringify(value) : String(value), SQL_TYPE[type])
}

/** PostgreSQL would also take words for a time, such as now. */
function isOf(type: ColumnType, value: string): boolean {
  if (type !== 'date' && type !== 'timestamp') return true
  return readInstant(value)?.kind === type
}

function placeOf({ collection, given, crs }: Asked, values: Values): string {
  const read = `public.st_setsrid(public.st_geomfromgeojson(${values.add(given.geometry, 'text')}), ${crs.epsg})`
  const turned = crs.northFirst ? `public.st_flipcoordinates(${read})` : read
  return collection.kind === 'point' ? turned : `public.st_multi(${turned})`
}

/** A value that the database refuses, by the name of its field and its rule. */
export function explainRefusal(error: unknown): never {
  if (error instanceof DatabaseFault && error.column !== null && /^2[23]/.test(error.code)) {
    const rule = error.hint === null ? '' : ` (${error.hint})`
    throw new Refusal('bad_value', `${error.column}: Dieser Wert ist nicht möglich${rule}.`)
  }
  if (error instanceof DatabaseFault && error.code === 'XX000')
    throw new Refusal('bad_value', 'geometry: Mit diesen Koordinaten lässt sich hier nicht rechnen.')
  throw error
}
