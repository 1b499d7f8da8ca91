// GeoJSON files of others. Our own export names the kind of each object in `tabelle`: it comes back as the layers it was.
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import type { Schichtart } from '#domain/vermessung/felder.ts'
import { type Form, fromGeoJson, GeometrieFault } from '#domain/vermessung/geometrie.ts'
import { epsgOfName } from './systeme.ts'
import { createBeispiele, DateiFault, MOST_COLUMNS, type Quelle, type RohSchicht } from './quelle.ts'

interface Feature {
  readonly type?: unknown
  readonly geometry?: unknown
  readonly properties?: Record<string, unknown> | null
  readonly id?: unknown
}

export function openGeoJson(bytes: Buffer, layerName: string): Quelle {
  let parsed: { type?: unknown; features?: unknown; crs?: { properties?: { name?: unknown } } | null } | null
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as typeof parsed
  } catch {
    throw new DateiFault('datei_kaputt')
  }
  if (parsed === null || typeof parsed !== 'object') throw new DateiFault('datei_kaputt')
  const features = (parsed.type === 'Feature' ? [parsed] : parsed.features) as Feature[]
  if (!Array.isArray(features)) throw new DateiFault('keine_schicht')
  if (features.length > MOST_OBJECTS) throw new DateiFault('zu_viele_objekte')
  if (!features.every((one) => typeof one === 'object' && one !== null)) throw new DateiFault('datei_kaputt')
  const crs = typeof parsed.crs?.properties?.name === 'string' ? parsed.crs.properties.name : null
  const layers = new Map<string, Feature[]>()
  const split = features.length > 0 && features.every(({ properties }) => /^[a-z_]{1,40}$/.test(String(properties?.['tabelle'] ?? '')))
  for (const feature of features) {
    const name = split ? String(feature.properties!['tabelle']) : layerName
    const list = layers.get(name)
    if (list === undefined) layers.set(name, [feature])
    else list.push(feature)
  }
  const werteOf = ({ properties, id }: Feature): Record<string, unknown> => ({
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    ...(typeof properties === 'object' ? properties : {}),
  })
  const schichten = [...layers].map(([name, list]): RohSchicht => {
    const columns = new Set<string>()
    const kinds = new Set<Schichtart | null>()
    for (const feature of list) {
      for (const column of Object.keys(werteOf(feature))) columns.add(column)
      if (columns.size > MOST_COLUMNS) throw new DateiFault('zu_viele_spalten')
      const type = (feature.geometry as { type?: unknown } | null)?.type
      kinds.add(
        typeof type !== 'string'
          ? null
          : type.endsWith('Point')
            ? 'punkt'
            : type.endsWith('LineString')
              ? 'linie'
              : type.endsWith('Polygon')
                ? 'flaeche'
                : null,
      )
    }
    kinds.delete(null)
    if (split) columns.delete('tabelle')
    const beispiele = createBeispiele([...columns])
    for (const feature of list.slice(0, 50)) beispiele.add(werteOf(feature))
    return {
      name,
      geometrie: kinds.size === 1 ? [...kinds][0]! : null,
      anzahl: list.length,
      epsg: crs === null ? 4326 : epsgOfName(crs),
      system: crs?.slice(0, 100) ?? null,
      spalten: beispiele.all(),
      ort: null,
    }
  })
  return {
    format: 'geojson',
    schichten,
    *lies(name) {
      const list = layers.get(name)
      if (list === undefined) throw new DateiFault('keine_schicht')
      for (const [at, feature] of list.entries()) {
        let geometrie: Form | GeometrieFault
        try {
          geometrie = fromGeoJson(feature.geometry)
        } catch (error) {
          if (!(error instanceof GeometrieFault)) throw error
          geometrie = error
        }
        yield { nr: at + 1, geometrie, werte: werteOf(feature) }
      }
    },
    close: () => undefined,
  }
}
