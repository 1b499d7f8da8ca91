// The stands of a holding as a GeoPackage that an import accepts: areas in ETRS89 /
// UTM and a table of species.
import { open, rm } from 'node:fs/promises'
import type { BestandScope } from '#contract/bestand.ts'
import type { FeExportFormat, FeFileLayer } from '#contract/bestand-import.ts'
import { type Area, converted } from '#domain/vermessung/geometry.ts'
import { readWkb } from '#domain/vermessung/wkb.ts'
import type { Caller } from '#server/caller.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Store } from '../geodata/store.ts'
import { type TableInfo, writeGpkg } from '../geodata/write-gpkg.ts'
import { writeShapefiles } from '../geodata/write-shapefile.ts'
import type { Column, TableRow } from '../geodata/columns.ts'
import { converter } from '../geodata/converter.ts'

const WITHOUT_FE =
  'Der Export der Bestände gehört zum Modul Forsteinrichtung (FE), das für diesen Forstbetrieb nicht ' +
  'freigeschaltet ist.'
const NOT_RELEASED = 'Dieser Forstbetrieb ist noch nicht freigeschaltet.'
/** Even with a thousand corners per stand a page stays far below the limit of an answer. */
const PAGE = 250
const TIMEOUT_MS = 120_000
/** What the database stores as EPSG:4326 is ETRS89 in degrees. */
const DEGREES = 4258
const HQ = {
  name: 'bestand_export_hq',
  // A key for the stands alone reads no headquarters: it gets the number it has asked with.
  text: `select (select h."sHQ" from app.hq h where h."idHQ" = $1) as name, forest.bestand_scope($1) as umfang,
    (select public.st_xmin(public.st_extent(b.geom)) from app.bestand b where b."idHQ" = $1) as west`,
}
const ADDRESS: readonly Column[] = [
  ...[1, 2, 3, 4, 5].map((nr) => ({ name: `sLVL0${nr}`, typ: 'text' as const })),
  { name: 'iSTAND', typ: 'ganz' },
]
const BESTAND: readonly Column[] = [
  ...ADDRESS,
  { name: 'flaeche_ha', typ: 'zahl' },
  { name: 'stichtag', typ: 'tag' },
  { name: 'nutzungsart', typ: 'text' },
  { name: 'bestandestyp', typ: 'text' },
  { name: 'alter', typ: 'ganz' },
  { name: 'altersklasse', typ: 'ganz' },
  { name: 'vorrat', typ: 'zahl' },
  { name: 'bemerkung', typ: 'text' },
]
const BAUMARTEN: readonly Column[] = [
  ...ADDRESS,
  { name: 'schicht', typ: 'text' },
  { name: 'baumart', typ: 'text' },
  { name: 'anteil', typ: 'zahl' },
  { name: 'flaeche_ha', typ: 'zahl' },
  { name: 'alter', typ: 'ganz' },
  { name: 'ertragsklasse', typ: 'text' },
  { name: 'vorrat', typ: 'zahl' },
  { name: 'bemerkung', typ: 'text' },
]
const page = (table: 'bestand' | 'baumarten', columns: readonly Column[]) => ({
  name: `bestand_seite_${table}`,
  text: `select id, ${table === 'bestand' ? `encode(public.st_asbinary(geom), 'hex')` : 'null'} as g,
    jsonb_build_object(${columns.map(({ name }) => `'${name}', "${name}"`).join(', ')})::text as werte
    from app.${table} where "idHQ" = $1 and id > $2 order by id limit ${PAGE}`,
})

async function* rowsOf(
  tx: Transaction,
  hq: string,
  statement: ReturnType<typeof page>,
  epsg: number,
): AsyncGenerator<TableRow> {
  let last = 0
  const convert = converter().conversion(DEGREES, epsg)
  for (;;) {
    const { rows } = await tx.query<{ id: number; g: string | null; werte: string }>({
      ...statement,
      values: [hq, last],
    })
    for (const { id, g, werte } of rows) {
      yield {
        id,
        geometrie: g === null ? null : converted(readWkb(Buffer.from(g, 'hex')) as Area, convert),
        werte: JSON.parse(werte) as TableRow['werte'],
      }
      last = id
    }
    if (rows.length < PAGE) return
  }
}

async function* layersOf(tx: Transaction, hq: string, epsg: number): AsyncGenerator<TableInfo> {
  yield {
    name: 'bestand',
    titel: 'Bestände',
    typ: 'MULTIPOLYGON',
    spalten: BESTAND,
    zeilen: rowsOf(tx, hq, page('bestand', BESTAND), epsg),
  }
  yield {
    name: 'baumarten',
    titel: 'Baumarten',
    typ: null,
    spalten: BAUMARTEN,
    zeilen: rowsOf(tx, hq, page('baumarten', BAUMARTEN), epsg),
  }
}

/**
 * The caller removes the file. A holding the caller may see but that has no stands gives empty tables; one
 * whose stands they may not see is refused.
 */
export async function writeExport(
  { database, fileStore }: { readonly database: Database; readonly fileStore: Store<FeFileLayer> },
  caller: Caller,
  hq: string,
  format: FeExportFormat,
): Promise<{ filePath: string; name: string }> {
  const filePath = await fileStore.zwischenort()
  try {
    const name = await database.transaction(
      asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
      async (tx) => {
        const [seen] = (
          await tx.query<{ name: string | null; umfang: BestandScope | null; west: number | null }>({
            ...HQ,
            values: [hq],
          })
        ).rows
        if (seen === undefined || (seen.name === null && seen.umfang === null)) throw new Refusal('not_found')
        if (seen.umfang !== 'alles')
          throw new Refusal('not_allowed', seen.umfang === 'nicht_freigegeben' ? NOT_RELEASED : WITHOUT_FE)
        const epsg = seen.west !== null && seen.west >= 12 ? 25_833 : 25_832
        if (format === 'gpkg') await writeGpkg(filePath, epsg, layersOf(tx, hq, epsg))
        else {
          const file = await open(filePath, 'wx', 0o600)
          try {
            await writeShapefiles(file, epsg, layersOf(tx, hq, epsg))
          } finally {
            await file.close()
          }
        }
        return seen.name ?? hq
      },
    )
    return { filePath, name }
  } catch (error) {
    await rm(filePath, { force: true })
    throw error
  }
}
