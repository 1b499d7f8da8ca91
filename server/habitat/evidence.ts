// The KAWM evidence apart from its PDF: trees, stands and figures as a workbook and as a GeoPackage, and
// everything in one archive.
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { addressText } from '#domain/bestand.ts'
import { kindName } from '#domain/habitat/species.ts'
import { HABITAT_FIELDS, structuresText } from '#domain/habitat/file.ts'
import { fixWord, markWord, methodWord, statusWort, stateWord } from '#domain/habitat/words.ts'
import { isDefect, kawmSentence } from '#domain/kawm.ts'
import { germanDay } from '#domain/day.ts'
import { type Sheet, xlsxParts, type SheetCell } from '#domain/xlsx.ts'
import { zipBytes } from '#server/write-zip.ts'
import type { Store } from '../geodata/store.ts'
import { writeGpkg, type TableInfo } from '../geodata/write-gpkg.ts'
import type { Column, TableRow } from '../geodata/columns.ts'
import { bestandText } from './report-parts.ts'
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
  trees: readonly ReportTree[],
  keyDate: string,
): ReadonlyMap<number | null, BestandCounts> {
  const all = new Map<number | null, { erfasst: number; markiert: number; anwaerter: number }>()
  for (const { bestand_id, markierung_art, markierung_datum, status } of trees) {
    const one = all.get(bestand_id) ?? { erfasst: 0, markiert: 0, anwaerter: 0 }
    one.erfasst++
    if (markierung_art !== null && (markierung_datum === null || markierung_datum <= keyDate)) one.markiert++
    if (status === 'anwaerter') one.anwaerter++
    all.set(bestand_id, one)
  }
  return all
}

/** Trees per hectare, rounded as on maps and in tables. */
const perHa = (trees: number, ha: number): number => round(trees / ha, 2)
const NOTHING: BestandCounts = { erfasst: 0, markiert: 0, anwaerter: 0 }

function keyFiguresSheet({ kopf, epsg }: Material, kawm: KawmFigures, keyDate: string): Sheet {
  const rows: (readonly [string, SheetCell, string])[] = [
    ['Forstbetrieb', kopf.sHQ, `Nr. ${kopf.idHQ}`],
    ['Kunde', kopf.kunde.name, ''],
    ['Stichtag', tag(keyDate), ''],
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
      'GNSS-Lösung',
      'Bestand',
      'Bemerkung',
      'Kennung',
    ],
    rows: baeume.map((tree) => [
      tree.nummer,
      kindName(tree.art, tree.art_text),
      number(tree.bhd_cm),
      number(tree.hoehe_m),
      statusWort(tree.status),
      stateWord(tree.zustand),
      structuresText(tree.strukturen),
      tree.markierung_art === null ? null : markWord(tree.markierung_art),
      tag(tree.markierung_datum),
      tag(tree.erfasst_am),
      tree.erfasser,
      round(tree.ort[0], 2),
      round(tree.ort[1], 2),
      round(tree.lat, 7),
      round(tree.lon, 7),
      number(tree.genauigkeit_m),
      methodWord(tree.lage_methode),
      tree.lage_fix === null ? null : fixWord(tree.lage_fix),
      bestandText(tree, kopf.ebenen),
      tree.bemerkung,
      tree.kennung,
    ]),
  }
}

function bestaendeSheet({ kopf, baeume, bestaende }: Material, keyDate: string): Sheet {
  const counts = perBestand(baeume, keyDate)
  const without = counts.get(null)
  return {
    name: 'Bestände',
    head: ['Bestand', 'Fläche (ha)', 'Erfasst', 'Markiert', 'Anwärter', 'Bäume je ha'],
    rows: [
      ...bestaende.map(({ id, l, s, ha }) => {
        const { erfasst, markiert, anwaerter } = counts.get(id) ?? NOTHING
        return [addressText({ l, s }, kopf.ebenen), ha, erfasst, markiert, anwaerter, perHa(erfasst, ha)]
      }),
      ...(without === undefined
        ? []
        : [['(in keinem Bestand)', null, without.erfasst, without.markiert, without.anwaerter, null]]),
    ],
  }
}

/** A workbook with three sheets. */
export function evidenceXlsx(
  material: Material,
  kawm: KawmFigures,
  keyDate: string,
): Promise<NonSharedBuffer> {
  const parts = xlsxParts([
    keyFiguresSheet(material, kawm, keyDate),
    treesSheet(material),
    bestaendeSheet(material, keyDate),
  ])
  return zipBytes(
    parts.map(({ name, texts }) => ({ name, inhalt: Buffer.from(texts.join(''), 'utf8'), compress: true })),
  )
}

const WITHOUT: ReadonlySet<string> = new Set(['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND'])
const ADDRESS: readonly Column[] = [
  ...[1, 2, 3, 4, 5].map((nr) => ({ name: `sLVL0${nr}`, typ: 'text' as const })),
  { name: 'iSTAND', typ: 'ganz' },
]
const address = (
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

const treeRow = (tree: ReportTree): TableRow => {
  const { id, ort, l, s, art, art_text, strukturen, ...rest } = tree
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
      ...address(l, s),
      baumart_name: kindName(art, art_text),
    },
  }
}
const bestandRow = (
  { id, l, s, ha, flaeche }: ReportBestand,
  counts: ReturnType<typeof perBestand>,
): TableRow => {
  const numbers = counts.get(id) ?? NOTHING
  return {
    id,
    geometrie: flaeche,
    werte: { ...address(l, s), flaeche_ha: ha, ...numbers, baeume_je_ha: perHa(numbers.erfasst, ha) },
  }
}

async function* tables({ baeume, bestaende }: Material, keyDate: string): AsyncGenerator<TableInfo> {
  const counts = perBestand(baeume, keyDate)
  yield {
    name: 'habitatbaeume',
    titel: 'Habitatbäume',
    typ: 'POINT',
    spalten: TREE_COLUMNS,
    zeilen: (async function* () {
      for (const tree of baeume) yield treeRow(tree)
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
  keyDate: string,
): Promise<NonSharedBuffer> {
  const filePath = await fileStore.zwischenort()
  try {
    await writeGpkg(filePath, material.epsg, tables(material, keyDate))
    return await readFile(filePath)
  } finally {
    await rm(filePath, { force: true })
  }
}

export interface EvidenceFile {
  readonly name: string
  readonly inhalt: NonSharedBuffer
  readonly was: string
}
/** Everything in one archive, with a description of each file. The same files give the same bytes. */
export async function evidenceZip(
  storedFiles: readonly EvidenceFile[],
  { kopf }: Material,
  keyDate: string,
): Promise<Buffer> {
  const list = storedFiles.map(
    ({ name, inhalt, was }) =>
      `${name}\r\n  ${was}\r\n  SHA-256 ${createHash('sha256').update(inhalt).digest('hex')}\r\n`,
  )
  const readme =
    `KAWM-Nachweis: Habitatbäume\r\n\r\nForstbetrieb: ${kopf.sHQ} (Nr. ${kopf.idHQ})\r\nStichtag: ` +
    `${germanDay(keyDate)}\r\nErstellt: ${kopf.zeit} ` +
    `Uhr${kopf.wer === null ? '' : ` von ${kopf.wer}`}\r\n\r\n${list.join('\r\n')}`
  return zipBytes([
    { name: 'LIESMICH.txt', inhalt: Buffer.from(`\uFEFF${readme}`, 'utf8'), compress: true },
    ...storedFiles.map(({ name, inhalt }) => ({ name, inhalt, compress: !/\.(?:pdf|xlsx)$/.test(name) })),
  ])
}
