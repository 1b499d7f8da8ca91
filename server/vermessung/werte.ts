// What a caller says of the layers of a file, believed only as far as it fits the file.
import type { DateiSchicht, ImportSchicht, ImportWerte, OrtSpalten } from '#contract/vermessung-import.ts'
import { felderOf, isTabelle } from '#domain/vermessung/felder.ts'
import { Refusal } from '#server/errors.ts'
import { umrechner } from '../geodaten/umrechner.ts'
import { Ablehnung } from '../geodaten/ablehnung.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal */
export function importWerteOf(body: unknown, datei: readonly DateiSchicht[]): ImportWerte {
  if (!isRecord(body) || !Array.isArray(body['schichten'])) throw new Refusal('bad_value')
  const { modus } = body
  if (modus !== 'ersetzen' && modus !== 'ergaenzen') throw new Ablehnung('import_modus')
  const schichten = body['schichten'].map((one) => schichtOf(one, datei))
  if (schichten.length === 0) throw new Ablehnung('import_ohne_schicht')
  if (new Set(schichten.map(({ name }) => name)).size !== schichten.length) throw new Refusal('bad_value')
  return { schichten, modus }
}

function schichtOf(body: unknown, datei: readonly DateiSchicht[]): ImportSchicht {
  const schicht = isRecord(body) ? datei.find(({ name }) => name === body['name']) : undefined
  if (!isRecord(body) || schicht === undefined) throw new Ablehnung('import_schicht_fremd')
  const { tabelle, epsg, felder } = body
  if (!isTabelle(tabelle)) throw new Ablehnung('import_tabelle', { schicht: schicht.name })
  if (typeof epsg !== 'number' || !umrechner().systeme.has(epsg)) throw new Ablehnung('import_epsg', { schicht: schicht.name })
  if (!isRecord(felder)) throw new Refusal('bad_value')
  const columns = new Set(schicht.spalten.map(({ name }) => name))
  const known = new Map(felderOf(tabelle).map(({ name }) => [name, true]))
  const pairs = Object.entries(felder).filter(
    (pair): pair is [string, string] => known.has(pair[0]) && typeof pair[1] === 'string' && columns.has(pair[1]),
  )
  const plain: ImportSchicht = { name: schicht.name, tabelle, epsg, felder: Object.fromEntries(pairs) }
  return schicht.ort === null ? plain : { ...plain, ort: ortOf(body['ort'], columns, schicht.name) }
}

function ortOf(body: unknown, columns: ReadonlySet<string>, name: string): OrtSpalten {
  const of = (key: string): string => (isRecord(body) && typeof body[key] === 'string' && columns.has(body[key]) ? body[key] : '')
  const ort = { x: of('x'), y: of('y'), wkt: of('wkt') }
  if (ort.wkt === '' && (ort.x === '' || ort.y === '' || ort.x === ort.y)) throw new Ablehnung('import_ort', { schicht: name })
  return ort
}
