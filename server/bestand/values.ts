// What a caller says about the layers of a plan, accepted only as far as it fits the file.
import type { FeFileLayer, FeLayerChoice, FeValues } from '#contract/bestand-import.ts'
import { feFieldsOf, isFeTable } from '#domain/bestand-import.ts'
import { isDay } from '#domain/day.ts'
import { Refusal } from '#server/errors.ts'
import { encodingOf } from '../geodata/chosen-encoding.ts'
import { converter } from '../geodata/converter.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Refusal */
export function feValuesOf(body: unknown, file: readonly FeFileLayer[]): FeValues {
  if (!isRecord(body) || !Array.isArray(body['schichten'])) throw new Refusal('bad_value')
  const { stichtag = null, uebernehmen } = body
  if (
    stichtag !== null &&
    (typeof stichtag !== 'string' || !/^(?:1[89]|20)/.test(stichtag) || !isDay(stichtag))
  )
    throw new Refusal('bad_value', 'Bitte geben Sie den Stichtag als 31.12.2026 ein.')
  const layers = body['schichten'].map((one) => layerOf(one, file))
  if (!layers.some(({ tabelle }) => tabelle === 'bestand'))
    throw new Refusal('bad_value', 'Bitte wählen Sie, welche Schicht die Bestände enthält.')
  if (new Set(layers.map(({ name }) => name)).size !== layers.length) throw new Refusal('bad_value')
  const placeConfirmed = body['ort_bestaetigt'] === true
  return {
    schichten: layers,
    stichtag,
    uebernehmen: uebernehmen === true,
    ...(placeConfirmed && { ort_bestaetigt: placeConfirmed }),
  }
}

function layerOf(body: unknown, file: readonly FeFileLayer[]): FeLayerChoice {
  const layer = isRecord(body) ? file.find(({ name }) => name === body['name']) : undefined
  if (!isRecord(body) || layer === undefined)
    throw new Refusal('bad_value', 'Diese Schicht gibt es in der Datei nicht.')
  const { tabelle, epsg, felder } = body
  if (!isFeTable(tabelle))
    throw new Refusal('bad_value', `Bitte wählen Sie, was die Schicht „${layer.name}“ enthält.`)
  if (tabelle === 'bestand' && (typeof epsg !== 'number' || !converter().systems.has(epsg)))
    throw new Refusal(
      'bad_value',
      `Das Koordinatensystem der Schicht „${layer.name}“ kann dieser Server nicht umrechnen. ` +
        'Bitte wählen Sie ein anderes.',
    )
  if (!isRecord(felder)) throw new Refusal('bad_value')
  const columns = new Set(layer.spalten.map(({ name }) => name))
  const known = new Set(feFieldsOf(tabelle).map(({ name }) => name))
  const pairs = Object.entries(felder).filter(
    (pair): pair is [string, string] =>
      known.has(pair[0]) && typeof pair[1] === 'string' && columns.has(pair[1]),
  )
  return {
    name: layer.name,
    tabelle,
    epsg: tabelle === 'bestand' ? (epsg as number) : null,
    felder: Object.fromEntries(pairs),
    ...(layer.ort !== null && { ort: layer.ort }),
    ...encodingOf(body),
  }
}
