// The KAWM evidence apart from its PDF: trees, stands and figures as a workbook and as a GeoPackage, and
// everything in one archive.
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { addressText } from '#domain/bestand.ts'
import { kindName } from '#domain/habitat/species.ts'
import { HABITAT_FIELDS, structuresText } from '#domain/habitat/file.ts'
import { markWord, methodWord, statusWort, stateWord } from '#domain/habitat/words.ts'
import { isDefect, kawmSentence } from '#domain/kawm.ts'
import { germanDay } from '#domain/day.ts'
import { type Sheet, xlsxParts, type SheetCell } from '#domain/xlsx.ts'
import type { Store } from '../geodata/store.ts'
import { writeGpkg, type TableInfo } from '../geodata/write-gpkg.ts'
import type { Column, TableRow } from '../geodata/columns.ts'
import { createZip } from '../geodata/write-zip.ts'
import { bestandText } from './report-data.ts'
import type { ReportTree, ReportBestand, KawmFigures, Material } from './report-material.ts'

const number = (value: number | null): number | null => (value === null ? null : Number(value))
const round = (value: number, digits: number): number => Number(value.toFixed(digits))
const tag = (day: string | null): SheetCell => (day === null ? null : { day })

interface BestandCounts {
  readonly erfasst: number
  readonly markiert: number
  readonly anwaerter: number
}
export function perBestand(
  baeume: readonly ReportTree[],
  stichtag: string,
): ReadonlyMap<number | null, BestandCounts> {
  const all = new Map<number | null, { erfasst: number; markiert: number; anwaerter: number }>()
  for (const { bestand_id, markierung_art, markierung_datum, status } of baeume) {
    const one = all.get(bestand_id) ?? { erfasst: 0, markiert: 0, anwaerter: 0 }
    one.erfasst++
    if (markierung_art !== null && (markierung_datum === null || markierung_datum <= stichtag)) one.markiert++
    if (status === 'anwaerter') one.anwaerter++
    all.set(bestand_id, one)
  }
  return all
}

/** Trees per hectare, rounded as on maps and in tables. */
const perHa = (baeume: number, ha: number): number => round(baeume / ha, 2)
const NOTHING: BestandCounts = { erfasst: 0, markiert: 0, anwaerter: 0 }

function keyFiguresSheet({ kopf, epsg }: Material, kawm: KawmFigures, stichtag: string): Sheet {
  const rows: (readonly [string, SheetCell, string])[] = [
    ['Forstbetrieb', kopf.sHQ, `Nr. ${kopf.idHQ}`],
    ['Kunde', kopf.kunde.name, ''],
    ['Stichtag', tag(stichtag), ''],
    ['Erstellt von', kopf.wer, `am ${kopf.zeit} Uhr`],
    [
      'Förderfläche',
      number(kawm.flaeche),
      kawm.eigene ? 'ha, eigene Angabe' : 'ha, aus der Forsteinrichtung',
    ],
    ['Soll', kawm.soll, 'Bäume und Anwärter, 5 je Hektar'],
    ['Erfasst', kawm.erfasst, 'Bäume und Anwärter'],
    ['Markiert', kawm.markiert, 'Bäume und Anwärter'],
    ['Fehlen noch', kawm.fehlend, 'Bäume und Anwärter'],
    ['Noch zu markieren', kawm.fehlend_markiert, 'Bäume und Anwärter'],
    ['Habitatbäume', kawm.baeume, ''],
    ['Anwärter', kawm.anwaerter, ''],
    ['Bis zum Stichtag verloren', kawm.verloren, ''],
    ['Erfasst, zählen nicht für die Förderung', kawm.ohne_kawm, ''],
    ['Bewilligt am', tag(kawm.bewilligung), ''],
    ['Markieren bis', tag(kawm.frist), ''],
    ['Tage bis dahin', kawm.tage, ''],
    ['Bindung 10 Jahre bis', tag(kawm.bindung_10), 'Kriterien 1 bis 11'],
    ['Bindung 20 Jahre bis', tag(kawm.bindung_20), 'natürliche Waldentwicklung'],
    [
      'Fläche natürlicher Entwicklung',
      number(kawm.naturwald_soll),
      kawm.naturwald_pflicht ? 'ha, Pflicht' : 'ha, freiwillig',
    ],
    ['Koordinaten', `EPSG:${epsg}`, ''],
    ...kawm.fehlt.map((one): readonly [string, SheetCell, string] => [
      isDefect(one.code) ? 'Es fehlt' : 'Hinweis',
      kawmSentence(one, kawm),
      '',
    ]),
  ]
  return { name: 'Kennzahlen', head: ['Angabe', 'Wert', 'Einheit oder Herkunft'], rows }
}

function treesSheet({ kopf, epsg, baeume }: Material): Sheet {
  return {
    name: 'Bäume',
    head: [
      'Nummer',
      'Baumart',
      'BHD (cm)',
      'Höhe (m)',
      'Status',
      'Zustand',
      'Strukturen',
      'Markierung',
      'Markiert am',
      'Erfasst am',
      'Erfasst von',
      `Ost (EPSG:${epsg})`,
      `Nord (EPSG:${epsg})`,
      'Breite (WGS 84)',
      'Länge (WGS 84)',
      'Genauigkeit (m)',
      'Lage bestimmt',
      'Bestand',
      'Bemerkung',
      'Kennung',
    ],
    rows: baeume.map((baum) => [
      baum.nummer,
      kindName(baum.art, baum.art_text),
      number(baum.bhd_cm),
      number(baum.hoehe_m),
      statusWort(baum.status),
      stateWord(baum.zustand),
      structuresText(baum.strukturen),
      baum.markierung_art === null ? null : markWord(baum.markierung_art),
      tag(baum.markierung_datum),
      tag(baum.erfasst_am),
      baum.erfasser,
      round(baum.ort[0], 2),
      round(baum.ort[1], 2),
      round(baum.lat, 7),
      round(baum.lon, 7),
      number(baum.genauigkeit_m),
      methodWord(baum.lage_methode),
      bestandText(baum, kopf.ebenen),
      baum.bemerkung,
      baum.kennung,
    ]),
  }
}

function bestaendeSheet({ kopf, baeume, bestaende }: Material, stichtag: string): Sheet {
  const counts = perBestand(baeume, stichtag)
  const ohne = counts.get(null)
  return {
    name: 'Bestände',
    head: ['Bestand', 'Fläche (ha)', 'Erfasst', 'Markiert', 'Anwärter', 'Bäume je ha'],
    rows: [
      ...bestaende.map(({ id, l, s, ha }) => {
        const { erfasst, markiert, anwaerter } = counts.get(id) ?? NOTHING
        return [addressText({ l, s }, kopf.ebenen), ha, erfasst, markiert, anwaerter, perHa(erfasst, ha)]
      }),
      ...(ohne === undefined
        ? []
        : [['(in keinem Bestand)', null, ohne.erfasst, ohne.markiert, ohne.anwaerter, null]]),
    ],
  }
}

/** A workbook with three sheets. */
export async function evidenceXlsx(material: Material, kawm: KawmFigures, stichtag: string): Promise<Buffer> {
  const parts: Buffer[] = []
  const zip = createZip(async (bytes) => void parts.push(bytes))
  // oxlint-disable-next-line no-await-in-loop -- one file after the other
  for (const { name, texts } of xlsxParts([
    keyFiguresSheet(material, kawm, stichtag),
    treesSheet(material),
    bestaendeSheet(material, stichtag),
  ]))
    await zip.add(name, Buffer.from(texts.join(''), 'utf8'))
  await zip.end()
  return Buffer.concat(parts)
}

const WITHOUT: ReadonlySet<string> = new Set(['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND'])
const ADDRESS: readonly Column[] = [
  ...[1, 2, 3, 4, 5].map((nr) => ({ name: `sLVL0${nr}`, typ: 'text' as const })),
  { name: 'iSTAND', typ: 'ganz' },
]
const adresse = (
  l: readonly (string | null)[],
  s: number | null,
): Record<string, string | number | null> => ({
  ...Object.fromEntries(l.map((wert, at) => [`sLVL0${at + 1}`, wert])),
  iSTAND: s,
})
/** The columns that an import reads back, and the names of the codes. */
const TREE_COLUMNS: readonly Column[] = [
  ...HABITAT_FIELDS.filter(({ name }) => !WITHOUT.has(name)).map(
    ({ name, art }): Column => ({ name, typ: art }),
  ),
  ...ADDRESS,
  { name: 'baumart_name', typ: 'text' },
  { name: 'lon', typ: 'zahl' },
  { name: 'lat', typ: 'zahl' },
]
const BESTAND_COLUMNS: readonly Column[] = [
  ...ADDRESS,
  { name: 'flaeche_ha', typ: 'zahl' },
  { name: 'erfasst', typ: 'ganz' },
  { name: 'markiert', typ: 'ganz' },
  { name: 'anwaerter', typ: 'ganz' },
  { name: 'baeume_je_ha', typ: 'zahl' },
]

const treeRow = (baum: ReportTree): TableRow => {
  const { id, ort, l, s, art, art_text, strukturen, ...rest } = baum
  return {
    id,
    geometrie: { art: 'punkt', ort, z: null },
    werte: {
      ...(Object.fromEntries(
        Object.entries(rest).filter(([, value]) => typeof value !== 'object' || value === null),
      ) as TableRow['werte']),
      art,
      art_text,
      strukturen: structuresText(strukturen),
      ...adresse(l, s),
      baumart_name: kindName(art, art_text),
    },
  }
}
const bestandRow = (
  { id, l, s, ha, flaeche }: ReportBestand,
  counts: ReturnType<typeof perBestand>,
): TableRow => {
  const zahlen = counts.get(id) ?? NOTHING
  return {
    id,
    geometrie: flaeche,
    werte: { ...adresse(l, s), flaeche_ha: ha, ...zahlen, baeume_je_ha: perHa(zahlen.erfasst, ha) },
  }
}

async function* tables({ baeume, bestaende }: Material, stichtag: string): AsyncGenerator<TableInfo> {
  const counts = perBestand(baeume, stichtag)
  yield {
    name: 'habitatbaeume',
    titel: 'Habitatbäume',
    typ: 'POINT',
    spalten: TREE_COLUMNS,
    zeilen: (async function* () {
      for (const baum of baeume) yield treeRow(baum)
    })(),
  }
  yield {
    name: 'bestand',
    titel: 'Bestände',
    typ: 'MULTIPOLYGON',
    spalten: BESTAND_COLUMNS,
    zeilen: (async function* () {
      for (const bestand of bestaende) yield bestandRow(bestand, counts)
    })(),
  }
}

/** Trees as points and stands as areas, in the coordinate system of the report. */
export async function evidenceGpkg(
  fileStore: Pick<Store, 'zwischenort'>,
  material: Material,
  stichtag: string,
): Promise<Buffer> {
  const filePath = await fileStore.zwischenort()
  try {
    await writeGpkg(filePath, material.epsg, tables(material, stichtag))
    return await readFile(filePath)
  } finally {
    await rm(filePath, { force: true })
  }
}

export interface EvidenceFile {
  readonly name: string
  readonly inhalt: Buffer
  readonly was: string
}
/** Everything in one archive, with a description of each file. The same files give the same bytes. */
export async function evidenceZip(
  storedFiles: readonly EvidenceFile[],
  { kopf }: Material,
  stichtag: string,
): Promise<Buffer> {
  const parts: Buffer[] = []
  const zip = createZip(async (bytes) => void parts.push(bytes))
  const liste = storedFiles.map(
    ({ name, inhalt, was }) =>
      `${name}\r\n  ${was}\r\n  SHA-256 ${createHash('sha256').update(inhalt).digest('hex')}\r\n`,
  )
  const readme = `KAWM-Nachweis: Habitatbäume\r\n\r\nForstbetrieb: ${kopf.sHQ} (Nr. ${kopf.idHQ})\r\nStichtag: ${germanDay(stichtag)}\r\nErstellt: ${kopf.zeit} Uhr${kopf.wer === null ? '' : ` von ${kopf.wer}`}\r\n\r\n${liste.join('\r\n')}`
  await zip.add('LIESMICH.txt', Buffer.from(`\uFEFF${readme}`, 'utf8'))
  // oxlint-disable-next-line no-await-in-loop -- one file after the other
  for (const { name, inhalt } of storedFiles) await zip.add(name, inhalt, /\.(?:pdf|xlsx)$/.test(name))
  await zip.end()
  return Buffer.concat(parts)
}
