// What a caller says about the layers of a file, accepted only as far as it fits the file.
import type { FileLayer, ImportLayer, ImportValues, PlaceColumns } from '#contract/vermessung-import.ts'
import { fieldsOf, isTable } from '#domain/vermessung/fields.ts'
import { Refusal } from '#server/errors.ts'
import { converter } from '../geodata/converter.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal */
export function importValuesOf(body: unknown, datei: readonly FileLayer[]): ImportValues {
  if (!isRecord(body) || !Array.isArray(body['schichten'])) throw new Refusal('bad_value')
  const { modus } = body
  if (modus !== 'ersetzen' && modus !== 'ergaenzen') throw new CodedRefusal('import_modus')
  const schichten = body['schichten'].map((one) => layerOf(one, datei))
  if (schichten.length === 0) throw new CodedRefusal('import_ohne_schicht')
  if (new Set(schichten.map(({ name }) => name)).size !== schichten.length) throw new Refusal('bad_value')
  return { schichten, modus }
}

function layerOf(body: unknown, datei: readonly FileLayer[]): ImportLayer {
  const schicht = isRecord(body) ? datei.find(({ name }) => name === body['name']) : undefined
  if (!isRecord(body) || schicht === undefined) throw new CodedRefusal('import_schicht_fremd')
  const { tabelle, epsg, felder } = body
  if (!isTable(tabelle)) throw new CodedRefusal('import_tabelle', { schicht: schicht.name })
  if (typeof epsg !== 'number' || !converter().systems.has(epsg))
    throw new CodedRefusal('import_epsg', { schicht: schicht.name })
  if (!isRecord(felder)) throw new Refusal('bad_value')
  const columns = new Set(schicht.spalten.map(({ name }) => name))
  const known = new Map(fieldsOf(tabelle).map(({ name }) => [name, true]))
  const pairs = Object.entries(felder).filter(
    (pair): pair is [string, string] =>
      known.has(pair[0]) && typeof pair[1] === 'string' && columns.has(pair[1]),
  )
  const plain: ImportLayer = { name: schicht.name, tabelle, epsg, felder: Object.fromEntries(pairs) }
  return schicht.ort === null ? plain : { ...plain, ort: placeOf(body['ort'], columns, schicht.name) }
}

function placeOf(body: unknown, columns: ReadonlySet<string>, name: string): PlaceColumns {
  const of = (key: string): string =>
    isRecord(body) && typeof body[key] === 'string' && columns.has(body[key]) ? body[key] : ''
  const ort = { x: of('x'), y: of('y'), wkt: of('wkt') }
  if (ort.wkt === '' && (ort.x === '' || ort.y === '' || ort.x === ort.y))
    throw new CodedRefusal('import_ort', { schicht: name })
  return ort
}
