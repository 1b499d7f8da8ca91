// What a caller says about a file of habitat trees: which layer, which columns, which coordinates.
import type { HabitatImportValues, HabitatLayer } from '#contract/habitat-file.ts'
import { HABITAT_FIELDS } from '#domain/habitat/file.ts'
import { Refusal } from '#server/errors.ts'
import { encodingOf } from '../geodata/chosen-encoding.ts'
import { converter } from '../geodata/converter.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a caller says about a file, accepted only as far as it fits the file. @throws Refusal */
export function fieldValuesOf(text: string, layers: readonly HabitatLayer[]): HabitatImportValues {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal('bad_value')
  }
  const layer = isRecord(body) ? layers.find(({ name }) => name === body['schicht']) : undefined
  if (!isRecord(body) || layer === undefined)
    throw new Refusal('bad_value', 'Diese Schicht gibt es in der Datei nicht.')
  const { epsg, felder } = body
  if (typeof epsg !== 'number' || !converter().systems.has(epsg))
    throw new Refusal(
      'bad_value',
      'Dieses Koordinatensystem kann der Server nicht umrechnen. Bitte wählen Sie ein anderes.',
    )
  const columns = new Set(layer.spalten.map(({ name }) => name))
  const chosen = HABITAT_FIELDS.flatMap(({ name }) => {
    const column = isRecord(felder) ? felder[name] : undefined
    return typeof column === 'string' && columns.has(column) ? [[name, column] as const] : []
  })
  if (!chosen.some(([name]) => name === 'art'))
    throw new Refusal('bad_value', 'Bitte wählen Sie die Spalte mit der Baumart.')
  const plain: HabitatImportValues = {
    schicht: layer.name,
    epsg,
    felder: Object.fromEntries(chosen),
    ...encodingOf(body),
    ...(body['ort_bestaetigt'] === true && { ort_bestaetigt: true }),
  }
  if (layer.ort === null) return plain
  const of = (key: string): string => {
    const column = isRecord(body['ort']) ? body['ort'][key] : undefined
    return typeof column === 'string' && columns.has(column) ? column : ''
  }
  const ort = { x: of('x'), y: of('y'), wkt: of('wkt') }
  if (ort.wkt === '' && (ort.x === '' || ort.y === '' || ort.x === ort.y))
    throw new Refusal('bad_value', 'Bitte wählen Sie die Spalten mit Ost- und Nordwert.')
  return { ...plain, ort }
}
