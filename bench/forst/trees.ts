// 100,000 trees of one headquarters and 5,000 of each of three others of the same customer (every second with
// a photo, a tenth with a check-up, the holding's area drawn), and the requests that the page makes for them.
import type { OwnerConnection } from '../../server/database/database.ts'
import { insertManyHabitatTrees } from '../../db/seeds/sample-habitat.ts'
import { blocksOf, boxOfBlock } from '../../web/src/features/habitat/heaps.ts'
import { grad } from '../../web/src/karte/mercator.ts'
import { SHORT } from '../extent.ts'

export const TREES = SHORT ? 1_500 : 100_000
const OTHERS = SHORT ? 200 : 5_000

/** Fills ten kilometres around (lon, lat). `others` are headquarters of the same customer. */
export async function fillTrees(
  owner: OwnerConnection,
  hq: number,
  others: readonly number[],
): Promise<void> {
  // This role restores and seeds, and writes no history.
  await owner.query('set role forst_betrieb')
  await owner.query(`delete from app.habitatbaeume where "idHQ" = any ($1::bigint[])`, [
    `{${[hq, ...others].join(',')}}`,
  ])
  await insertManyHabitatTrees(owner, { idHQ: hq, anzahl: TREES })
  for (const other of others) await insertManyHabitatTrees(owner, { idHQ: other, anzahl: OTHERS })
  await owner.query(
    `insert into app.habitatbilder (habitat_id, client_id, "idHQ", dateiname, typ, groesse, breite, hoehe,
      sha256, klein, mittel, gross, titelbild)
       select id, client_id, "idHQ", 'Baum.jpg', 'image/jpeg', 5000000, 4000, 3000, repeat('0', 64),
         repeat('1', 64), repeat('2', 64), repeat('3', 64), true
       from app.habitatbaeume
       where id % 2 = 0 and "idHQ" = $1`,
    [hq],
  )
  await owner.query(
    `insert into app.habitatkontrollen (habitat_id, client_id, "idHQ", ergebnis)
      select id, client_id, "idHQ", 'vorhanden'
      from app.habitatbaeume
      where id % 10 = 0 and "idHQ" = $1`,
    [hq],
  )
  await owner.query('reset role')
  await owner.script('analyze')
}

/** The columns shown in the list. */
const SELECT =
  'id,nummer,art,art_text,bhd_cm,hoehe_m,zustand,status,strukturen,markierung_art,markierung_datum,' +
  'erfasst_am,erfasser,lon,lat,genauigkeit_m,lage_methode,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND,' +
  'bemerkung,verlust_datum,verlust_grund,kawm,bild,kontrolle_datum,geaendert_am'

/**
 * The page's filters as they reach the data API: species, structure, stand, marked, without photo, text, and
 * several at once.
 */
export const FILTER: Readonly<Record<string, string>> = {
  'all trees': '',
  species: 'art=in.(bu,sei)',
  structure: `struktur_suche=like.${encodeURIComponent('*|7.1|*')}`,
  stand: 'sLVL02=eq.2&sLVL03=eq.17&iSTAND=eq.3',
  marked: 'markiert=is.true',
  'without photo': 'bild=is.false',
  text: `suchtext=like.${encodeURIComponent('*kuhn*')}`,
  'text that nothing has': `suchtext=like.${encodeURIComponent('*zirbelnuss*')}`,
  'several at once': 'art=in.(bu,tei,sei)&markiert=is.false&bild=is.false&bhd_cm=gte.60',
}
export const ORDER: Readonly<Record<string, string>> = {
  number: 'sortname,id',
  species: 'art,id',
  diameter: 'bhd_cm.desc,id.desc',
  captured: 'erfasst_am.desc,id.desc',
  changed: 'geaendert_am.desc,id',
}
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('&')

/** One row more than is shown tells the page whether there is a next page. */
export const listAddress = (hq: number, filter: string, order: string, rows: number, offset = 0): string =>
  `habitatbaeume_liste?${joined(
    `select=${SELECT}`,
    `idHQ=eq.${hq}`,
    filter,
    `order=${order}`,
    `limit=${rows + 1}`,
    offset === 0 ? '' : `offset=${offset}`,
  )}`
export const countAddress = (hq: number, filter: string): string =>
  `habitatbaeume_liste?${joined('select=id', `idHQ=eq.${hq}`, filter, 'limit=1')}`
export const extentAddress = (hq: number, filter: string): string =>
  `habitatbaeume_karte?${joined('select=n:count(),w:x.min(),s:y.min(),o:x.max(),r:y.max()', `idHQ=eq.${hq}`, filter)}`

/** The map block that holds a place, with cells of 2^stufe metres; null for single trees. */
export function blockAddress(hq: number, filter: string, level: number | null, x: number, y: number): string {
  const [block] = blocksOf([x, y, x, y], level)
  const [west, south, east, north] = boxOfBlock(block!)
  const [[lonWest, latSouth], [lonEast, latNorth]] = [grad(west, south), grad(east, north)]
  const box = `lat=gte.${latSouth}&lat=lt.${latNorth}&lon=gte.${lonWest}&lon=lt.${lonEast}`
  const select =
    level === null
      ? 'select=id,x,y,zeichen'
      : `select=zelle_${level},n:count(),id:id.min(),zeichen:zeichen.min(),w:x.min(),s:y.min(),o:x.max(),r:y.max()`
  return `habitatbaeume_karte?${joined(select, `idHQ=eq.${hq}`, filter, box, level === null ? 'limit=1501' : '')}`
}
