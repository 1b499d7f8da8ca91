// The evidence of KAWM beside its paper: trees, stands and figures as a workbook and as a GeoPackage, and all of it in one archive.
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { adresseText } from '#domain/bestand.ts'
import { artName } from '#domain/habitat/arten.ts'
import { HABITAT_FELDER, strukturenText } from '#domain/habitat/datei.ts'
import { markierungWort, methodeWort, statusWort, zustandWort } from '#domain/habitat/woerter.ts'
import { istMangel, kawmSatz } from '#domain/kawm.ts'
import { germanDay } from '#domain/tag.ts'
import { type Blatt, xlsxTeile, type Zelle } from '#domain/xlsx.ts'
import type { Ablage } from '../geodaten/ablage.ts'
import { schreibeGpkg, type Tafel } from '../geodaten/gpkg-schreiben.ts'
import type { Spalte, Zeile } from '../geodaten/spalten.ts'
import { createZip } from '../geodaten/zip-schreiben.ts'
import { bestandText } from './bericht-satz.ts'
import type { BerichtBaum, BerichtBestand, KawmFiguren, Stoff } from './bericht-stoff.ts'

const number = (value: number | null): number | null => (value === null ? null : Number(value))
const round = (value: number, digits: number): number => Number(value.toFixed(digits))
const tag = (day: string | null): Zelle => (day === null ? null : { day })

interface BestandZahlen {
  readonly erfasst: number
  readonly markiert: number
  readonly anwaerter: number
}
export function jeBestand(baeume: readonly BerichtBaum[], stichtag: string): ReadonlyMap<number | null, BestandZahlen> {
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

/** Trees per hectare, as maps and tables say them. */
const jeHa = (baeume: number, ha: number): number => round(baeume / ha, 2)
const NICHTS: BestandZahlen = { erfasst: 0, markiert: 0, anwaerter: 0 }

function kennzahlen({ kopf, epsg }: Stoff, kawm: KawmFiguren, stichtag: string): Blatt {
  const rows: (readonly [string, Zelle, string])[] = [
    ['Forstbetrieb', kopf.sHQ, `Nr. ${kopf.idHQ}`],
    ['Kunde', kopf.kunde.name, ''],
    ['Stichtag', tag(stichtag), ''],
    ['Erstellt von', kopf.wer, `am ${kopf.zeit} Uhr`],
    ['Förderfläche', number(kawm.flaeche), kawm.eigene ? 'ha, eigene Angabe' : 'ha, aus der Forsteinrichtung'],
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
    ['Fläche natürlicher Entwicklung', number(kawm.naturwald_soll), kawm.naturwald_pflicht ? 'ha, Pflicht' : 'ha, freiwillig'],
    ['Koordinaten', `EPSG:${epsg}`, ''],
    ...kawm.fehlt.map((one): readonly [string, Zelle, string] => [istMangel(one.code) ? 'Es fehlt' : 'Hinweis', kawmSatz(one, kawm), '']),
  ]
  return { name: 'Kennzahlen', head: ['Angabe', 'Wert', 'Einheit oder Herkunft'], rows }
}

function baeumeBlatt({ kopf, epsg, baeume }: Stoff): Blatt {
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
      artName(baum.art, baum.art_text),
      number(baum.bhd_cm),
      number(baum.hoehe_m),
      statusWort(baum.status),
      zustandWort(baum.zustand),
      strukturenText(baum.strukturen),
      baum.markierung_art === null ? null : markierungWort(baum.markierung_art),
      tag(baum.markierung_datum),
      tag(baum.erfasst_am),
      baum.erfasser,
      round(baum.ort[0], 2),
      round(baum.ort[1], 2),
      round(baum.lat, 7),
      round(baum.lon, 7),
      number(baum.genauigkeit_m),
      methodeWort(baum.lage_methode),
      bestandText(baum, kopf.ebenen),
      baum.bemerkung,
      baum.kennung,
    ]),
  }
}

function bestaendeBlatt({ kopf, baeume, bestaende }: Stoff, stichtag: string): Blatt {
  const counts = jeBestand(baeume, stichtag)
  const ohne = counts.get(null)
  return {
    name: 'Bestände',
    head: ['Bestand', 'Fläche (ha)', 'Erfasst', 'Markiert', 'Anwärter', 'Bäume je ha'],
    rows: [
      ...bestaende.map(({ id, l, s, ha }) => {
        const { erfasst, markiert, anwaerter } = counts.get(id) ?? NICHTS
        return [adresseText({ l, s }, kopf.ebenen), ha, erfasst, markiert, anwaerter, jeHa(erfasst, ha)]
      }),
      ...(ohne === undefined ? [] : [['(in keinem Bestand)', null, ohne.erfasst, ohne.markiert, ohne.anwaerter, null]]),
    ],
  }
}

/** A workbook of three sheets. */
export async function nachweisXlsx(stoff: Stoff, kawm: KawmFiguren, stichtag: string): Promise<Buffer> {
  const parts: Buffer[] = []
  const zip = createZip(async (bytes) => void parts.push(bytes))
  // oxlint-disable-next-line no-await-in-loop -- one file after the other
  for (const { name, texts } of xlsxTeile([kennzahlen(stoff, kawm, stichtag), baeumeBlatt(stoff), bestaendeBlatt(stoff, stichtag)]))
    await zip.add(name, Buffer.from(texts.join(''), 'utf8'))
  await zip.end()
  return Buffer.concat(parts)
}

const OHNE: ReadonlySet<string> = new Set(['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND'])
const ADRESSE: readonly Spalte[] = [
  ...[1, 2, 3, 4, 5].map((nr) => ({ name: `sLVL0${nr}`, typ: 'text' as const })),
  { name: 'iSTAND', typ: 'ganz' },
]
const adresse = (l: readonly (string | null)[], s: number | null): Record<string, string | number | null> => ({
  ...Object.fromEntries(l.map((wert, at) => [`sLVL0${at + 1}`, wert])),
  iSTAND: s,
})
/** The columns in which an import reads trees again, and how the codes are called. */
const BAUM_SPALTEN: readonly Spalte[] = [
  ...HABITAT_FELDER.filter(({ name }) => !OHNE.has(name)).map(({ name, art }): Spalte => ({ name, typ: art })),
  ...ADRESSE,
  { name: 'baumart_name', typ: 'text' },
  { name: 'lon', typ: 'zahl' },
  { name: 'lat', typ: 'zahl' },
]
const BESTAND_SPALTEN: readonly Spalte[] = [
  ...ADRESSE,
  { name: 'flaeche_ha', typ: 'zahl' },
  { name: 'erfasst', typ: 'ganz' },
  { name: 'markiert', typ: 'ganz' },
  { name: 'anwaerter', typ: 'ganz' },
  { name: 'baeume_je_ha', typ: 'zahl' },
]

const baumZeile = (baum: BerichtBaum): Zeile => {
  const { id, ort, l, s, art, art_text, strukturen, ...rest } = baum
  return {
    id,
    geometrie: { art: 'punkt', ort, z: null },
    werte: {
      ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value !== 'object' || value === null)) as Zeile['werte']),
      art,
      art_text,
      strukturen: strukturenText(strukturen),
      ...adresse(l, s),
      baumart_name: artName(art, art_text),
    },
  }
}
const bestandZeile = ({ id, l, s, ha, flaeche }: BerichtBestand, counts: ReturnType<typeof jeBestand>): Zeile => {
  const zahlen = counts.get(id) ?? NICHTS
  return { id, geometrie: flaeche, werte: { ...adresse(l, s), flaeche_ha: ha, ...zahlen, baeume_je_ha: jeHa(zahlen.erfasst, ha) } }
}

async function* tafeln({ baeume, bestaende }: Stoff, stichtag: string): AsyncGenerator<Tafel> {
  const counts = jeBestand(baeume, stichtag)
  yield {
    name: 'habitatbaeume',
    titel: 'Habitatbäume',
    typ: 'POINT',
    spalten: BAUM_SPALTEN,
    zeilen: (async function* () {
      for (const baum of baeume) yield baumZeile(baum)
    })(),
  }
  yield {
    name: 'bestand',
    titel: 'Bestände',
    typ: 'MULTIPOLYGON',
    spalten: BESTAND_SPALTEN,
    zeilen: (async function* () {
      for (const bestand of bestaende) yield bestandZeile(bestand, counts)
    })(),
  }
}

/** Trees as points, stands as areas, in the system of the report. */
export async function nachweisGpkg(ablage: Pick<Ablage, 'zwischenort'>, stoff: Stoff, stichtag: string): Promise<Buffer> {
  const pfad = await ablage.zwischenort()
  try {
    await schreibeGpkg(pfad, stoff.epsg, tafeln(stoff, stichtag))
    return await readFile(pfad)
  } finally {
    await rm(pfad, { force: true })
  }
}

export interface NachweisDatei {
  readonly name: string
  readonly inhalt: Buffer
  readonly was: string
}
/** All of it in one archive, with what is what. The same files make the same bytes. */
export async function nachweisZip(dateien: readonly NachweisDatei[], { kopf }: Stoff, stichtag: string): Promise<Buffer> {
  const parts: Buffer[] = []
  const zip = createZip(async (bytes) => void parts.push(bytes))
  const liste = dateien.map(
    ({ name, inhalt, was }) => `${name}\r\n  ${was}\r\n  SHA-256 ${createHash('sha256').update(inhalt).digest('hex')}\r\n`,
  )
  const liesmich = `KAWM-Nachweis: Habitatbäume\r\n\r\nForstbetrieb: ${kopf.sHQ} (Nr. ${kopf.idHQ})\r\nStichtag: ${germanDay(stichtag)}\r\nErstellt: ${kopf.zeit} Uhr${kopf.wer === null ? '' : ` von ${kopf.wer}`}\r\n\r\n${liste.join('\r\n')}`
  await zip.add('LIESMICH.txt', Buffer.from(`\uFEFF${liesmich}`, 'utf8'))
  // oxlint-disable-next-line no-await-in-loop -- one file after the other
  for (const { name, inhalt } of dateien) await zip.add(name, inhalt, /\.(?:pdf|xlsx)$/.test(name))
  await zip.end()
  return Buffer.concat(parts)
}
