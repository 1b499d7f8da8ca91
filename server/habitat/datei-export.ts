// The habitat trees of a headquarters that the caller may see, as a file: made beside the database's pages and then sent.
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import type { HabitatExportFormat } from '#contract/habitat-datei.ts'
import { artName } from '#domain/habitat/arten.ts'
import { HABITAT_FELDER, strukturenText } from '#domain/habitat/datei.ts'
import type { StrukturAngabe } from '#domain/habitat/strukturen.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Ablage } from '../geodaten/ablage.ts'
import { csvZelle } from '../geodaten/csv-schreiben.ts'
import { schreibeGpkg } from '../geodaten/gpkg-schreiben.ts'
import type { Spalte, Zeile } from '../geodaten/spalten.ts'
import { umrechner } from '../geodaten/umrechner.ts'

const PAGE = 5_000
const TIMEOUT_MS = 120_000
const SEES = {
  name: 'habitat_export_sieht',
  // The zone in which most of them stand.
  text: `select h."sHQ" as name, (select case when avg(t.lon) >= 12 then 25833 else 25832 end from app.habitatbaeume t where t."idHQ" = h."idHQ") as zone
    from app.hq h where h."idHQ" = $1 and rechte.darf_habitat(h."idHQ")`,
}
const FIELDS = [...HABITAT_FELDER.map(({ name }) => name), 'version', 'geaendert_am'] as const
const page = {
  name: 'habitat_export_seite',
  text: `select t.id, t.lon, t.lat, jsonb_build_object(${FIELDS.map((name) => `'${name}', t."${name}"`).join(', ')},
      'bilder', (select count(*) from app.habitatbilder b where b.habitat_id = t.id), 'letzte_kontrolle', (select max(k.datum) from app.habitatkontrollen k where k.habitat_id = t.id))::text as werte
    from app.habitatbaeume t where t."idHQ" = $1 and t.id > $2 order by t.id limit ${PAGE}`,
}
/** As they are read again, and what only goes out. */
export const SPALTEN: readonly Spalte[] = [
  ...HABITAT_FELDER.map(({ name, art }): Spalte => ({ name, typ: art })),
  { name: 'baumart_name', typ: 'text' },
  { name: 'bilder', typ: 'ganz' },
  { name: 'letzte_kontrolle', typ: 'tag' },
  { name: 'lon', typ: 'zahl' },
  { name: 'lat', typ: 'zahl' },
]

async function* zeilenOf(tx: Transaction, hq: string, epsg: number): AsyncGenerator<Zeile> {
  const um = umrechner().umrechnung(4326, epsg)
  let last = 0
  for (;;) {
    const { rows } = await tx.query<{ id: number; lon: number; lat: number; werte: string }>({ ...page, values: [hq, last] })
    for (const row of rows) {
      const [id, lon, lat] = [Number(row.id), Number(row.lon), Number(row.lat)]
      const werte = JSON.parse(row.werte) as Record<string, string | number | boolean | null> & { strukturen: StrukturAngabe[] | string }
      const { art, art_text } = werte as unknown as { art: string; art_text: string | null }
      yield {
        id,
        geometrie: { art: 'punkt', ort: um([lon, lat]), z: null },
        werte: {
          ...werte,
          strukturen: strukturenText(werte.strukturen as StrukturAngabe[]),
          baumart_name: artName(art, art_text),
          lon,
          lat,
        },
      }
      last = id
    }
    if (rows.length < PAGE) return
  }
}

async function schreibe(datei: FileHandle, kopf: string, fuss: string, stuecke: AsyncIterable<string>): Promise<void> {
  let text = kopf
  for await (const stueck of stuecke) {
    text += stueck
    if (text.length < 1_000_000) continue
    await datei.write(text)
    text = ''
  }
  await datei.write(`${text}${fuss}`)
}
async function* csvZeilen(zeilen: AsyncIterable<Zeile>, epsg: number): AsyncGenerator<string> {
  const places = epsg === 4326 ? 7 : 3
  for await (const { geometrie, werte } of zeilen) {
    const ort = geometrie?.art === 'punkt' ? geometrie.ort : []
    yield `${[...SPALTEN.map(({ name, typ }) => csvZelle(werte[name] ?? null, typ)), String(epsg), ...ort.map((value) => value.toFixed(places).replace('.', ','))].join(';')}\r\n`
  }
}
async function* geoJsonZeilen(zeilen: AsyncIterable<Zeile>, epsg: number): AsyncGenerator<string> {
  const places = epsg === 4326 || epsg === 4258 ? 7 : 3
  let first = true
  for await (const { id, geometrie, werte } of zeilen) {
    const coordinates = geometrie?.art === 'punkt' ? geometrie.ort.map((value) => Number(value.toFixed(places))) : []
    const properties = Object.fromEntries(SPALTEN.map(({ name }) => [name, werte[name] ?? null]))
    yield `${first ? '' : ','}\n${JSON.stringify({ type: 'Feature', id, properties, geometry: { type: 'Point', coordinates } })}`
    first = false
  }
}

export interface Habitatdatei {
  readonly pfad: string
  readonly groesse: number
  readonly name: string
}

export async function exportiereHabitat(
  { database, ablage }: { readonly database: Database; readonly ablage: Ablage },
  caller: Caller,
  { hq, format, epsg }: { readonly hq: string; readonly format: HabitatExportFormat; readonly epsg: number | null },
): Promise<Habitatdatei> {
  if (epsg !== null && !umrechner().systeme.has(epsg))
    throw new Refusal('bad_value', 'Dieses Koordinatensystem kann der Server nicht umrechnen.')
  const pfad = await ablage.zwischenort()
  try {
    const name = await database.transaction(asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }), async (tx) => {
      const [seen] = (await tx.query<{ name: string; zone: number | null }>({ ...SEES, values: [hq] })).rows
      if (seen === undefined) throw new Refusal('not_found')
      const system = epsg ?? (format === 'gpkg' ? Number(seen.zone ?? 25_832) : 4326)
      const zeilen = zeilenOf(tx, hq, system)
      if (format === 'gpkg')
        await schreibeGpkg(
          pfad,
          system,
          (async function* () {
            yield { name: 'habitatbaeume', titel: 'Habitatbäume', typ: 'POINT' as const, spalten: SPALTEN, zeilen }
          })(),
        )
      else {
        const datei = await open(pfad, 'wx', 0o600)
        try {
          if (format === 'csv')
            await schreibe(
              datei,
              `\uFEFF${[...SPALTEN.map((spalte) => spalte.name), 'epsg', 'ost', 'nord'].join(';')}\r\n`,
              '',
              csvZeilen(zeilen, system),
            )
          else {
            const crs = system === 4326 ? '' : `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::${system}"}},`
            await schreibe(
              datei,
              `{"type":"FeatureCollection","name":"habitatbaeume",${crs}"features":[`,
              '\n]}\n',
              geoJsonZeilen(zeilen, system),
            )
          }
        } finally {
          await datei.close()
        }
      }
      return seen.name
    })
    return { pfad, groesse: (await stat(pfad)).size, name }
  } catch (error) {
    await rm(pfad, { force: true })
    throw error
  }
}
