// A scan that contains its own place becomes a georeferenced plan at once: its place is saved as the plan's
// points and the job for the result is queued, in the name of the person who uploaded it. If the file names no
// system, its numbers are taken in that of the plan, as those of a world file, and the result waits for a person.
import { canBeInGermany } from '#domain/epsg-range.ts'
import type { ScanPlace } from '#contract/karte-files.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { OwnPlace } from './geotiff-place.ts'

const LOOK = {
  name: 'karte_punkte_da',
  text: `select k.version, k.epsg,
      k.georef_typ is not null or exists (select from app.mappoint p where p.karte_id = k.id) as taken
    from app.kartenblatt k where k.id = $1`,
}
const SAVE = {
  name: 'karte_lage_sichern',
  text: 'select app.a_set_mappoints($1, $2::jsonb, $3::jsonb, $4) as version',
}
const ORDER = { name: 'karte_lage_auftrag', text: 'select app.a_add_karte_auftrag($1) as id' }

/** Points that people have set are worth more than what a file says: they stay. */
export function placeScan(
  database: Database,
  caller: Caller,
  karte: string,
  { epsg: own, isNamed, georef_typ, punkte, res }: OwnPlace,
): Promise<ScanPlace> {
  return database.transaction(asNutzer(caller), async (tx) => {
    const { rows } = await tx.query<{ version: number; epsg: number; taken: boolean }>({
      ...LOOK,
      values: [karte],
    })
    if (rows[0]?.taken !== false) return 'vorhanden'
    const isGuess = own === null && !isNamed
    const epsg = isGuess ? rows[0].epsg : own
    if (epsg === null) return 'system'
    if (isGuess && !punkte.every(({ ost, nord }) => canBeInGermany(epsg, [ost, nord]))) return 'system'
    const points = punkte.map(({ ost, nord, spalte, zeile }) => ({
      mapx: ost,
      mapy: nord,
      pixelx: spalte,
      pixely: zeile === 0 ? 0 : -zeile,
      enable: true,
    }))
    const values = { epsg, georef_typ, res, georef_label: 'Lage aus dem GeoTIFF' }
    await tx.query({
      ...SAVE,
      values: [karte, JSON.stringify(points), JSON.stringify(values), rows[0].version],
    })
    // A system that is only assumed is for a person to confirm.
    if (isGuess) return 'annahme'
    await tx.query({ ...ORDER, values: [karte] })
    return 'uebernommen'
  })
}
