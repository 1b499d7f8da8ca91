// A report of habitat trees as the texts of its pages: all numbers are formatted here, the template only
// places them. Nothing in it is markup, whatever people have typed into their records.
import { REPORT_MOST_TREES } from '#contract/habitat-report.ts'
import { addressText } from '#domain/bestand.ts'
import { epsgName } from '#domain/epsg.ts'
import { kindName } from '#domain/habitat/species.ts'
import { type KarteSheet, type KartenText, drawKarten } from '#domain/habitat/report-karte.ts'
import { type StructureDetail, STRUCTURE_GROUPS, structureOf } from '#domain/habitat/structures.ts'
import { markWord, methodWord, statusWort, lossWord, stateWord } from '#domain/habitat/words.ts'
import { TREES_PER_HA, isDefect, kawmSentence } from '#domain/kawm.ts'
import { setLine } from '#domain/typeset-text.ts'
import { germanDay } from '#domain/day.ts'
import type { ReportTree, ReportPicture, Company, KawmFigures, Head, Material } from './report-material.ts'

type Pair = readonly [name: string, wert: string]
interface ListRow {
  readonly nummer: string
  readonly art: string
  readonly bhd: string
  readonly strukturen: string
  readonly bemerkung: string
  readonly zustand: readonly string[]
  readonly markierung: readonly string[]
  readonly ort: readonly string[]
  readonly grad: readonly string[]
  readonly genau: readonly string[]
  readonly bestand: string
  readonly erfasst: string
}
interface Karte extends Omit<KarteSheet, 'balken' | 'scale' | 'baeume' | 'unnumbered'> {
  readonly titel: string
  readonly alt: string
  readonly balken: { readonly laenge: number; readonly mitte: string; readonly ende: string }
  readonly legende: readonly string[]
}
interface Photo {
  readonly bild: string
  readonly alt: string
  readonly titel: string
  readonly zeile: string
}
export interface ReportData {
  readonly pdf: {
    readonly pdf_titel: string
    readonly autor: string
    readonly beschreibung: string
    readonly stichworte: readonly string[]
    readonly tag: readonly [year: number, month: number, day: number]
  }
  readonly logo: string | null
  readonly absender: { readonly name: string; readonly zeilen: readonly string[] }
  readonly kunde: readonly string[]
  readonly titel: string
  readonly untertitel: string
  readonly stand: string
  readonly folgekopf: string
  readonly fuss: string
  readonly info: readonly Pair[]
  readonly nachweis: {
    readonly grosse: readonly { readonly name: string; readonly wert: string; readonly zusatz: string }[]
    readonly zahlen: readonly Pair[]
    readonly maengel: readonly string[]
    readonly hinweise: readonly string[]
    readonly erklaerung: string
  } | null
  readonly zahlen: readonly Pair[]
  readonly verteilungen: readonly {
    readonly titel: string
    readonly zeilen: readonly (readonly [string, string, string])[]
  }[]
  readonly hinweise: readonly string[]
  readonly karten: readonly Karte[]
  readonly listen: readonly {
    readonly titel: string
    readonly system: string
    readonly zeilen: readonly ListRow[]
  }[]
  readonly fotos: readonly Photo[]
}

/** Cached: creating a format costs a hundred times as much as formatting a number. */
const FORMATS = Array.from(
  { length: 7 },
  (_, digits) =>
    new Intl.NumberFormat('de-DE', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
const zahl = (value: number, digits = 0): string => FORMATS[digits]!.format(value)
const hektar = (value: number): string =>
  `${value.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 4 })} ha`
const quantities = (n: number, singular: string, many: string): string =>
  n === 1 ? `1 ${singular}` : `${zahl(n)} ${many}`
const treesText = (n: number): string => quantities(n, 'Baum', 'Bäume')

/** The label of a tree on the map and at the photos: its number, otherwise its position in the list. */
export const treeLabel = ({ nummer }: Pick<ReportTree, 'nummer'>, at: number): string =>
  nummer === null ? `(${at + 1})` : setLine(nummer)

/** '1.3 Buntspechthöhle × 2' */
const structureText = ({ code, menge }: StructureDetail): string => {
  const name = structureOf(code)?.de
  return [code, name, menge === null ? undefined : `× ${menge}`]
    .filter((part) => part !== undefined)
    .join(' ')
}

export function bestandText(
  { l, s, lage }: Pick<ReportTree, 'l' | 's' | 'lage'>,
  ebenen: readonly string[],
): string {
  const own = addressText({ l, s }, ebenen)
  if (lage === null) return own
  const there = `${addressText(lage, ebenen)} (nach Lage)`
  return own === '–' ? there : `${own}; ${there}`
}

const LONGEST_REMARK = 400
function remarkText({ bemerkung, verlust_datum, verlust_grund }: ReportTree): string {
  const text = bemerkung === null ? '' : setLine(bemerkung)
  const short = text.length > LONGEST_REMARK ? `${text.slice(0, LONGEST_REMARK).trimEnd()} …` : text
  const lost =
    verlust_datum === null ? '' : `Verlust am ${germanDay(verlust_datum)}: ${lossWord(verlust_grund ?? '')}.`
  return [lost, short].filter((part) => part !== '').join(' ')
}

function rowOf(baum: ReportTree, at: number, { ebenen }: Head): ListRow {
  const { markierung_art, markierung_datum, genauigkeit_m, lage_methode, kawm } = baum
  return {
    nummer: treeLabel(baum, at),
    art: setLine(kindName(baum.art, baum.art_text)),
    bhd: baum.bhd_cm === null ? '' : zahl(Number(baum.bhd_cm), Number.isInteger(Number(baum.bhd_cm)) ? 0 : 1),
    strukturen: baum.strukturen.map(structureText).join(', '),
    bemerkung: remarkText(baum),
    zustand: [statusWort(baum.status), stateWord(baum.zustand), ...(kawm ? [] : ['nicht für KAWM'])],
    markierung:
      markierung_art === null
        ? ['–']
        : [markWord(markierung_art), ...(markierung_datum === null ? [] : [germanDay(markierung_datum)])],
    ort: baum.ort.map((value) => zahl(value, 1)),
    grad: [zahl(baum.lat, 6), zahl(baum.lon, 6)],
    genau: [genauigkeit_m === null ? '–' : `± ${zahl(Number(genauigkeit_m), 1)} m`, methodWord(lage_methode)],
    bestand: setLine(bestandText(baum, ebenen)),
    erfasst: germanDay(baum.erfasst_am),
  }
}

function distribution(
  titel: string,
  words: readonly string[],
  most: number,
  von: number,
): ReportData['verteilungen'][number] | null {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].toSorted(([a, n], [b, m]) => m - n || a.localeCompare(b, 'de'))
  const rest = sorted.slice(most).reduce((sum, [, n]) => sum + n, 0)
  const shown = [...sorted.slice(0, most), ...(rest === 0 ? [] : [['weitere', rest] as [string, number]])]
  if (shown.length === 0) return null
  return { titel, zeilen: shown.map(([name, n]) => [setLine(name), zahl(n), `${zahl((100 * n) / von)} %`]) }
}

const FORM = new Map(STRUCTURE_GROUPS.map(({ system, code, form }) => [`${system} ${code}`, form]))
const formsOf = ({ strukturen }: ReportTree): string[] => [
  ...new Set(
    strukturen.flatMap(({ code }) => {
      const structure = structureOf(code)
      return structure === undefined ? [] : (FORM.get(`${structure.system} ${structure.gruppe}`) ?? [])
    }),
  ),
]

const period = (days: readonly string[]): string => {
  const [first, last] = [days.reduce((a, b) => (a < b ? a : b)), days.reduce((a, b) => (a > b ? a : b))]
  return first === last ? germanDay(first) : `${germanDay(first)} bis ${germanDay(last)}`
}

function numbersOf(baeume: readonly ReportTree[], withPhoto: number | null): Pair[] {
  const n = (test: (baum: ReportTree) => boolean): number => baeume.filter(test).length
  const lost = n(({ verlust_datum }) => verlust_datum !== null)
  const ohne = n(({ kawm }) => !kawm)
  const bhd = baeume.flatMap(({ bhd_cm }) => (bhd_cm === null ? [] : [Number(bhd_cm)]))
  const accurate = baeume
    .flatMap(({ genauigkeit_m }) => (genauigkeit_m === null ? [] : [Number(genauigkeit_m)]))
    .toSorted((a, b) => a - b)
  if (baeume.length === 0) return [['Bäume', 'keine']]
  return [
    ['Bäume', zahl(baeume.length)],
    ['davon Habitatbäume', zahl(n(({ status }) => status === 'baum'))],
    ['davon Anwärter', zahl(n(({ status }) => status === 'anwaerter'))],
    ['markiert', zahl(n(({ markierung_art }) => markierung_art !== null))],
    [
      'abgestorben (stehend oder Stumpf)',
      zahl(n(({ zustand }) => zustand === 'tot_stehend' || zustand === 'stumpf')),
    ],
    ...(lost === 0 ? [] : [['verloren', zahl(lost)] as const]),
    ...(ohne === 0 ? [] : [['zählen nicht für die Förderung', zahl(ohne)] as const]),
    ...(withPhoto === null ? [] : [['mit Foto in dieser Datei', zahl(withPhoto)] as const]),
    ['erfasst', period(baeume.map(({ erfasst_am }) => erfasst_am))],
    ...(bhd.length === 0
      ? []
      : [
          [
            'BHD im Mittel',
            `${zahl(bhd.reduce((sum, value) => sum + value, 0) / bhd.length)} cm (${treesText(bhd.length)} gemessen)`,
          ] as const,
        ]),
    ...(accurate.length === 0
      ? []
      : [
          [
            'Lagegenauigkeit im Mittel',
            `± ${zahl(accurate[Math.floor(accurate.length / 2)]!, 1)} m (Median)`,
          ] as const,
        ]),
  ]
}

function karteOf(
  singleSheet: KarteSheet,
  { titel, epsg, betrieb, mehr }: { titel: string; epsg: number; betrieb: string; mehr: readonly string[] },
): Karte {
  const { balken, scale, baeume, unnumbered, texte, ...rest } = singleSheet
  const metres = (value: number): string =>
    value >= 1000 ? `${zahl(value / 1000, value % 1000 === 0 ? 0 : 1)} km` : `${zahl(value)} m`
  const fehlt =
    unnumbered === 0
      ? []
      : [
          `${unnumbered === 1 ? '1 Baum steht' : `${zahl(unnumbered)} Bäume stehen`} hier zu dicht für eine Nummer.`,
        ]
  return {
    ...rest,
    // On one line, however narrow its place.
    texte: texte.map((text): KartenText => ({ ...text, text: setLine(text.text).replaceAll(' ', '\u00A0') })),
    titel,
    alt: `${titel} von ${betrieb}: ${treesText(baeume)} auf den Umrissen der Bestände, Maßstab 1 : ${zahl(scale)}, Norden ist oben. Die Lage jedes Baums steht in der Liste.`,
    balken: { laenge: balken.laenge, mitte: metres(balken.meter / 2), ende: metres(balken.meter) },
    legende: [
      `Maßstab 1 : ${zahl(scale)} · EPSG ${epsgName(epsg).replace(/^EPSG /, '')} · Gitternord`,
      'gefüllt: Habitatbaum · offen: Anwärter · Kreuz: verloren · Flächen: Bestände',
      ...fehlt,
      ...mehr,
    ],
  }
}

function karten({ umrisse, baeume, epsg, kopf, total }: Material): Karte[] {
  const made = drawKarten(
    umrisse,
    baeume.map((baum, at) => ({
      ort: baum.ort,
      nummer: treeLabel(baum, at),
      zeichen: baum.verlust_datum !== null ? 'verloren' : baum.status,
    })),
    baeume.length === total || baeume.length === 0,
  )
  if (made === null) return []
  const betrieb = setLine(kopf.sHQ)
  const { overview, sheetList, ausserhalb } = made
  const n = sheetList.length
  return [
    karteOf(overview, {
      titel: 'Übersichtskarte',
      epsg,
      betrieb,
      mehr: [
        ...(n === 0 ? [] : [`Die Nummern stehen auf ${n} Kartenblättern; ihre Lage ist gestrichelt.`]),
        ...(ausserhalb === 0
          ? []
          : [
              ausserhalb === 1
                ? '1 Baum liegt weit außerhalb; er steht nur in der Liste.'
                : `${zahl(ausserhalb)} Bäume liegen weit außerhalb; sie stehen nur in der Liste.`,
            ]),
      ],
    }),
    ...sheetList.map((singleSheet, at) =>
      karteOf(singleSheet, { titel: `Kartenblatt ${at + 1} von ${n}`, epsg, betrieb, mehr: [] }),
    ),
  ]
}

const senderLines = (firma: Company): string[] =>
  [
    firma.name_zusatz ?? '',
    firma.strasse,
    `${firma.plz} ${firma.ort}`,
    firma.telefon === '' ? '' : `Telefon ${firma.telefon}`,
    firma.mail,
    firma.webseite,
  ]
    .map(setLine)
    .filter((line) => line !== '')

function evidenceOf(kawm: KawmFigures): NonNullable<ReportData['nachweis']> {
  const { soll, erfasst, markiert, frist, tage, flaeche } = kawm
  const von = soll === null ? 'ohne Soll' : `von ${zahl(soll)}`
  const tag = (day: string | null): string => (day === null ? 'nicht hinterlegt' : germanDay(day))
  const saetze = (defect: boolean) =>
    kawm.fehlt.filter(({ code }) => isDefect(code) === defect).map((one) => kawmSentence(one, kawm))
  return {
    grosse: [
      {
        name: `Soll (${TREES_PER_HA} je Hektar)`,
        wert: soll === null ? '–' : zahl(soll),
        zusatz: flaeche === null ? 'ohne Fläche' : `auf ${hektar(flaeche)}`,
      },
      { name: 'Erfasst', wert: zahl(erfasst), zusatz: von },
      { name: 'Markiert', wert: zahl(markiert), zusatz: von },
      {
        name: 'Fehlen noch',
        wert: kawm.fehlend === null ? '–' : zahl(kawm.fehlend),
        zusatz: kawm.fehlend_markiert === null ? '' : `zu markieren: ${zahl(kawm.fehlend_markiert)}`,
      },
    ],
    zahlen: [
      [
        'Förderfläche',
        flaeche === null
          ? 'nicht hinterlegt'
          : `${hektar(flaeche)} (${kawm.eigene ? 'eigene Angabe' : 'aus der Forsteinrichtung'})`,
      ],
      ['Bewilligt am', tag(kawm.bewilligung)],
      [
        'Markieren bis',
        frist === null || tage === null
          ? 'ohne Bewilligung nicht zu bestimmen'
          : `${germanDay(frist)} (${tage < 0 ? `seit ${quantities(-tage, 'Tag', 'Tagen')} vorbei` : tage === 0 ? 'am Stichtag' : `noch ${quantities(tage, 'Tag', 'Tage')}`})`,
      ],
      [
        'Bindung der Kriterien 1 bis 11 (10 Jahre)',
        kawm.bindung_10 === null ? '–' : `bis ${germanDay(kawm.bindung_10)}`,
      ],
      [
        'Natürliche Waldentwicklung (20 Jahre)',
        kawm.bindung_20 === null ? '–' : `bis ${germanDay(kawm.bindung_20)}`,
      ],
      [
        'Fläche natürlicher Entwicklung (5 %)',
        kawm.naturwald_soll === null
          ? '–'
          : `${hektar(kawm.naturwald_soll)}${kawm.naturwald_pflicht ? ' (Pflicht ab mehr als 100 ha)' : ' (bis 100 ha freiwillig)'}`,
      ],
      ['Habitatbäume', zahl(kawm.baeume)],
      ['Anwärter', zahl(kawm.anwaerter)],
      ['Bis zum Stichtag verloren', zahl(kawm.verloren)],
      ['Erfasst, zählen nicht für die Förderung', zahl(kawm.ohne_kawm)],
    ],
    maengel: saetze(true),
    hinweise: saetze(false),
    erklaerung:
      'Gezählt sind Bäume und Anwärter, die bis zum Stichtag erfasst, bis dahin nicht verloren und für die Förderung vorgesehen waren; als markiert zählt, wessen Markierung kein späteres Datum trägt. Art, ' +
      'Zustand, Strukturen und Lage sind die zur Zeit der Erstellung hinterlegten.',
  }
}

export interface PrintablePicture extends ReportPicture {
  readonly filePath: string
}
export interface ReportChoice {
  readonly material: Material
  /** What narrowed the choice, in words. */
  readonly filter: readonly string[]
  /** Photos that can be printed. */
  readonly bilder: readonly PrintablePicture[]
  /** Number of photos that were requested; null: none. */
  readonly gefragt: number | null
  readonly logo: string | null
  /** The reference date of an evidence. */
  readonly stichtag: string | null
  /** Which part of the list: an evidence with very many trees is split into several files. */
  readonly teil: { readonly nr: number; readonly von: number }
}

const namedList = (texts: readonly string[]): string =>
  texts
    .map(setLine)
    .filter((text) => text !== '')
    .join('; ')

export function reportData({
  material,
  filter,
  bilder,
  gefragt,
  logo,
  stichtag,
  teil,
}: ReportChoice): ReportData {
  const { kopf, epsg, baeume, total, kawm } = material
  const betrieb = setLine(kopf.sHQ)
  const first = teil.nr === 1
  const [from, to] = [(teil.nr - 1) * REPORT_MOST_TREES, Math.min(baeume.length, teil.nr * REPORT_MOST_TREES)]
  const titel = stichtag === null ? 'Habitatbäume' : 'KAWM-Nachweis: Habitatbäume'
  const whole = teil.von === 1 ? titel : `${titel}, Teil ${teil.nr} von ${teil.von}`
  const [year, month, day] = kopf.heute.split('-').map(Number)
  const { kunde, firma } = kopf
  const autor = setLine(kopf.wer ?? '')
  const at = new Map(baeume.map((baum, index) => [baum.id, index]))
  const sorted = bilder.toSorted((a, b) => at.get(a.habitat_id)! - at.get(b.habitat_id)! || 0)
  const missingCount = gefragt === null ? 0 : gefragt - bilder.length
  const auswahl =
    stichtag !== null
      ? 'alle Bäume der Förderung zum Stichtag'
      : baeume.length === total
        ? `alle ${zahl(total)} Bäume des Betriebs`
        : `${zahl(baeume.length)} von ${treesText(total)} des Betriebs`
  const words = namedList(filter)
  return {
    pdf: {
      pdf_titel: `${whole} – ${betrieb}`,
      autor: autor === '' ? betrieb : autor,
      beschreibung: `${whole} von ${betrieb}, Stand ${setLine(kopf.zeit)} Uhr`,
      stichworte: ['Habitatbäume', ...(stichtag === null ? [] : ['KAWM'])],
      tag: [year!, month!, day!],
    },
    logo,
    absender: {
      name: firma === null ? '' : setLine(firma.name),
      zeilen: firma === null ? [] : senderLines(firma),
    },
    kunde: [kunde.name, kunde.name_zusatz ?? '', kunde.strasse, `${kunde.plz} ${kunde.ort}`]
      .map(setLine)
      .filter((line) => line !== ''),
    titel: whole,
    untertitel: betrieb,
    stand: `Stand ${setLine(kopf.zeit)} Uhr`,
    folgekopf: `${whole} · ${betrieb}${stichtag === null ? '' : ` · Stichtag ${germanDay(stichtag)}`}`,
    fuss: [firma === null ? '' : setLine(firma.name), autor === '' ? '' : `erstellt von ${autor}`]
      .filter((part) => part !== '')
      .join(' · '),
    info: (
      [
        ['Forstbetrieb', `${betrieb} (Nr. ${kopf.idHQ})`],
        ['Stichtag', stichtag === null ? '' : germanDay(stichtag)],
        ['Erstellt am', `${setLine(kopf.zeit)} Uhr`],
        ['Erstellt von', autor],
        ['Auswahl', auswahl],
        ['Filter', words],
        [
          'Koordinaten',
          `EPSG ${epsgName(epsg).replace(/^EPSG /, '')} und WGS 84${epsg === kopf.epsg ? '' : ` (EPSG ${kopf.epsg} des Kunden hat keine Meter oder ist hier nicht umzurechnen)`}`,
        ],
        ['Forsteinrichtung', kopf.dtFE === null ? '' : `Stichtag ${germanDay(kopf.dtFE)}`],
      ] as const
    ).filter(([, wert]) => wert !== ''),
    nachweis: first && kawm !== null ? evidenceOf(kawm) : null,
    zahlen: first
      ? numbersOf(baeume, gefragt === null ? null : new Set(bilder.map(({ habitat_id }) => habitat_id)).size)
      : [],
    verteilungen: first
      ? [
          distribution(
            'Baumart',
            baeume.map(({ art, art_text }) => kindName(art, art_text)),
            10,
            baeume.length,
          ),
          distribution('Strukturen (Form)', baeume.flatMap(formsOf), 10, baeume.length),
        ].filter((one) => one !== null)
      : [],
    hinweise:
      missingCount > 0
        ? [
            missingCount === 1
              ? '1 Foto fehlt, weil es noch nicht verarbeitet ist oder sich nicht lesen ließ.'
              : `${zahl(missingCount)} Fotos fehlen, weil sie noch nicht verarbeitet sind oder sich nicht lesen ließen.`,
          ]
        : [],
    karten: first ? karten(material) : [],
    listen:
      baeume.length === 0
        ? []
        : [
            {
              titel:
                teil.von === 1
                  ? `Liste der Bäume (${zahl(baeume.length)})`
                  : `Liste der Bäume ${zahl(from + 1)} bis ${zahl(to)} von ${zahl(baeume.length)}`,
              system: `EPSG ${epsg}`,
              zeilen: baeume.slice(from, to).map((baum, index) => rowOf(baum, from + index, kopf)),
            },
          ],
    fotos: sorted.map(({ filePath, habitat_id, aufgenommen, bemerkung }) => {
      const index = at.get(habitat_id)!
      const baum = baeume[index]!
      const art = setLine(kindName(baum.art, baum.art_text))
      const name = baum.nummer === null ? art : `${setLine(baum.nummer)} · ${art}`
      const datum = aufgenommen === null ? 'ohne Aufnahmedatum' : `aufgenommen am ${aufgenommen}`
      const text = bemerkung === null ? '' : setLine(bemerkung)
      return {
        bild: filePath,
        alt: `Foto von Baum ${name}, ${datum}`,
        titel: baum.nummer === null ? `${art} ${treeLabel(baum, index)}` : name,
        zeile: [datum, text].filter((part) => part !== '').join(' · '),
      }
    }),
  }
}
