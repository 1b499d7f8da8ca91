// What a caller says about the layers of a file, accepted only as far as it fits the file.
import type { FileLayer, ImportLayer, ImportValues, PlaceColumns } from '#contract/vermessung-import.ts'
import { fieldsOf, isTable } from '#domain/vermessung/fields.ts'
import { Refusal } from '#server/errors.ts'
import { converter } from '../geodata/converter.ts'
import { encodingOf } from '../geodata/chosen-encoding.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal */
export function importValuesOf(body: unknown, file: readonly FileLayer[]): ImportValues {
  if (!isRecord(body) || !Array.isArray(body['schichten'])) throw new Refusal('bad_value')
  const { modus } = body
  if (modus !== 'ersetzen' && modus !== 'ergaenzen') throw new CodedRefusal('import_modus')
  const layers = body['schichten'].map((one) => layerOf(one, file))
  if (layers.length === 0) throw new CodedRefusal('import_ohne_schicht')
  if (new Set(layers.map(({ name }) => name)).size !== layers.length) throw new Refusal('bad_value')
  return {
    schichten: layers,
    modus,
    ...(body['ort_bestaetigt'] === true && { ort_bestaetigt: true }),
    ...(body['verschiebung_bestaetigt'] === true && { verschiebung_bestaetigt: true }),
  }
}

function layerOf(body: unknown, file: readonly FileLayer[]): ImportLayer {
  const layer = isRecord(body) ? file.find(({ name }) => name === body['name']) : undefined
  if (!isRecord(body) || layer === undefined) throw new CodedRefusal('import_schicht_fremd')
  const { tabelle, epsg, felder } = body
  if (!isTable(tabelle)) throw new CodedRefusal('import_tabelle', { schicht: layer.name })
  if (typeof epsg !== 'number' || !converter().systems.has(epsg))
    throw new CodedRefusal('import_epsg', { schicht: layer.name })
  if (!isRecord(felder)) throw new Refusal('bad_value')
  const columns = new Set(layer.spalten.map(({ name }) => name))
  const known = new Map(fieldsOf(tabelle).map(({ name }) => [name, true]))
  const pairs = Object.entries(felder).filter(
    (pair): pair is [string, string] =>
      known.has(pair[0]) && typeof pair[1] === 'string' && columns.has(pair[1]),
  )
  const plain: ImportLayer = { name: layer.name, tabelle, epsg, felder: Object.fromEntries(pairs) }
  return {
    ...plain,
    ...(layer.ort !== null && { ort: placeOf(body['ort'], columns, layer.name) }),
    ...encodingOf(body),
  }
}

function placeOf(body: unknown, columns: ReadonlySet<string>, name: string): PlaceColumns {
  const of = (key: string): string =>
    isRecord(body) && typeof body[key] === 'string' && columns.has(body[key]) ? body[key] : ''
  const ort = { x: of('x'), y: of('y'), wkt: of('wkt') }
  if (ort.wkt === '' && (ort.x === '' || ort.y === '' || ort.x === ort.y))
    throw new CodedRefusal('import_ort', { schicht: name })
  return ort
}
