// The parts of a report of habitat trees as texts: its numbers, lists, maps and the evidence. All numbers are
// formatted here.
import { addressText } from '#domain/bestand.ts'
import { epsgName } from '#domain/epsg.ts'
import { kindName } from '#domain/habitat/species.ts'
import type { KartenText } from '#domain/habitat/karte-labels.ts'
import { drawKarten, type KarteSheet } from '#domain/habitat/report-karte.ts'
import { type StructureDetail, STRUCTURE_GROUPS, structureOf } from '#domain/habitat/structures.ts'
import { fixWord, markWord, methodWord, statusWort, lossWord, stateWord } from '#domain/habitat/words.ts'
import { TREES_PER_HA, isDefect, kawmSentence } from '#domain/kawm.ts'
import { setLine } from '#domain/typeset-text.ts'
import { germanDay } from '#domain/day.ts'
import type { Karte, ListRow, Pair, ReportData } from './report-document.ts'
import type { ReportTree, Company, KawmFigures, Head, Material } from './report-material.ts'

/** Cached: creating a format costs a hundred times as much as formatting a number. */
const FORMATS = Array.from(
  { length: 7 },
  (_, digits) =>
    new Intl.NumberFormat('de-DE', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
)
export const figure = (value: number, digits = 0): string => FORMATS[digits]!.format(value)
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const hektar = (value: number): string =>
  `${value.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 4 })} ha`
const quantities = (n: number, singular: string, many: string): string =>
  n === 1 ? `1 ${singular}` : `${figure(n)} ${many}`
/** How far a deadline is from the day of the report. */
const distance = (days: number): string => {
  if (days === 0) return 'am Stichtag'
  return days < 0
    ? `seit ${quantities(-days, 'Tag', 'Tagen')} vorbei`
    : `noch ${quantities(days, 'Tag', 'Tage')}`
}
export const treesText = (n: number): string => quantities(n, 'Baum', 'Bäume')

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
  levels: readonly string[],
): string {
  const own = addressText({ l, s }, levels)
  if (lage === null) return own
  const there = `${addressText(lage, levels)} (nach Lage)`
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

/** Below a metre to the centimetre. */
function accuracyText(metres: number | null): string {
  if (metres === null) return '–'
  return `± ${figure(Number(metres), Number(metres) < 1 ? 2 : 1)} m`
}

export function rowOf(tree: ReportTree, at: number, { ebenen }: Head): ListRow {
  const { markierung_art, markierung_datum, genauigkeit_m, lage_methode, lage_fix, kawm } = tree
  return {
    nummer: treeLabel(tree, at),
    art: setLine(kindName(tree.art, tree.art_text)),
    bhd:
      tree.bhd_cm === null ? '' : figure(Number(tree.bhd_cm), Number.isInteger(Number(tree.bhd_cm)) ? 0 : 1),
    strukturen: tree.strukturen.map(structureText).join(', '),
    bemerkung: remarkText(tree),
    zustand: [statusWort(tree.status), stateWord(tree.zustand), ...(kawm ? [] : ['nicht für KAWM'])],
    markierung:
      markierung_art === null
        ? ['–']
        : [markWord(markierung_art), ...(markierung_datum === null ? [] : [germanDay(markierung_datum)])],
    ort: tree.ort.map((value) => figure(value, 1)),
    grad: [figure(tree.lat, 6), figure(tree.lon, 6)],
    genau: [accuracyText(genauigkeit_m), lage_fix === null ? methodWord(lage_methode) : fixWord(lage_fix)],
    bestand: setLine(bestandText(tree, ebenen)),
    erfasst: germanDay(tree.erfasst_am),
  }
}

export function distribution(
  title: string,
  words: readonly string[],
  most: number,
  origin: number,
): ReportData['verteilungen'][number] | null {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].toSorted(([a, n], [b, m]) => m - n || a.localeCompare(b, 'de'))
  const rest = sorted.slice(most).reduce((sum, [, n]) => sum + n, 0)
  const shown = [...sorted.slice(0, most), ...(rest === 0 ? [] : [['weitere', rest] as [string, number]])]
  if (shown.length === 0) return null
  return {
    titel: title,
    zeilen: shown.map(([name, n]) => [setLine(name), figure(n), `${figure((100 * n) / origin)} %`]),
  }
}

const FORM = new Map(STRUCTURE_GROUPS.map(({ system, code, form }) => [`${system} ${code}`, form]))
export const formsOf = ({ strukturen }: ReportTree): string[] => [
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

export function numbersOf(trees: readonly ReportTree[], withPhoto: number | null): Pair[] {
  const n = (test: (tree: ReportTree) => boolean): number => trees.filter(test).length
  const lost = n(({ verlust_datum }) => verlust_datum !== null)
  const without = n(({ kawm }) => !kawm)
  const diameters = trees.flatMap(({ bhd_cm }) => (bhd_cm === null ? [] : [Number(bhd_cm)]))
  const accurate = trees
    .flatMap(({ genauigkeit_m }) => (genauigkeit_m === null ? [] : [Number(genauigkeit_m)]))
    .toSorted((a, b) => a - b)
  if (trees.length === 0) return [['Bäume', 'keine']]
  return [
    ['Bäume', figure(trees.length)],
    ['davon Habitatbäume', figure(n(({ status }) => status === 'baum'))],
    ['davon Anwärter', figure(n(({ status }) => status === 'anwaerter'))],
    ['markiert', figure(n(({ markierung_art }) => markierung_art !== null))],
    [
      'abgestorben (stehend oder Stumpf)',
      figure(n(({ zustand }) => zustand === 'tot_stehend' || zustand === 'stumpf')),
    ],
    ...(lost === 0 ? [] : [['verloren', figure(lost)] as const]),
    ...(without === 0 ? [] : [['zählen nicht für die Förderung', figure(without)] as const]),
    ...(withPhoto === null ? [] : [['mit Foto in dieser Datei', figure(withPhoto)] as const]),
    ['erfasst', period(trees.map(({ erfasst_am }) => erfasst_am))],
    ...(diameters.length === 0
      ? []
      : [
          [
            'BHD im Mittel',
            `${figure(meanOf(diameters))} cm (${treesText(diameters.length)} gemessen)`,
          ] as const,
        ]),
    ...(accurate.length === 0
      ? []
      : [
          [
            'Lagegenauigkeit im Mittel',
            `± ${figure(accurate[Math.floor(accurate.length / 2)]!, 1)} m (Median)`,
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
    value >= 1000 ? `${figure(value / 1000, value % 1000 === 0 ? 0 : 1)} km` : `${figure(value)} m`
  const missing =
    unnumbered === 0
      ? []
      : [
          `${unnumbered === 1 ? '1 Baum steht' : `${figure(unnumbered)} Bäume stehen`} hier zu dicht für eine Nummer.`,
        ]
  return {
    ...rest,
    // On one line, however narrow its place.
    texte: texte.map((text): KartenText => ({ ...text, text: setLine(text.text).replaceAll(' ', '\u00A0') })),
    titel,
    alt:
      `${titel} von ${betrieb}: ${treesText(baeume)} auf den Umrissen der Bestände, Maßstab 1 : ` +
      `${figure(scale)}, Norden ist oben. Die Lage jedes Baums steht in der Liste.`,
    balken: { laenge: balken.laenge, mitte: metres(balken.meter / 2), ende: metres(balken.meter) },
    legende: [
      `Maßstab 1 : ${figure(scale)} · EPSG ${epsgName(epsg).replace(/^EPSG /, '')} · Gitternord`,
      'gefüllt: Habitatbaum · offen: Anwärter · Kreuz: verloren · Flächen: Bestände',
      ...missing,
      ...mehr,
    ],
  }
}

export function karten({ umrisse, baeume, epsg, kopf, total }: Material): Karte[] {
  const made = drawKarten(
    umrisse,
    baeume.map((tree, at) => ({
      ort: tree.ort,
      nummer: treeLabel(tree, at),
      zeichen: tree.verlust_datum !== null ? 'verloren' : tree.status,
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
                : `${figure(ausserhalb)} Bäume liegen weit außerhalb; sie stehen nur in der Liste.`,
            ]),
      ],
    }),
    ...sheetList.map((singleSheet, at) =>
      karteOf(singleSheet, { titel: `Kartenblatt ${at + 1} von ${n}`, epsg, betrieb, mehr: [] }),
    ),
  ]
}

export const senderLines = (company: Company): string[] =>
  [
    company.name_zusatz ?? '',
    company.strasse,
    `${company.plz} ${company.ort}`,
    company.telefon === '' ? '' : `Telefon ${company.telefon}`,
    company.mail,
    company.webseite,
  ]
    .map(setLine)
    .filter((line) => line !== '')

export function evidenceOf(kawm: KawmFigures): NonNullable<ReportData['nachweis']> {
  const { soll, erfasst, markiert, frist, tage, flaeche } = kawm
  const origin = soll === null ? 'ohne Soll' : `von ${figure(soll)}`
  const tag = (day: string | null): string => (day === null ? 'nicht hinterlegt' : germanDay(day))
  const sentencesOf = (defect: boolean) =>
    kawm.fehlt.filter(({ code }) => isDefect(code) === defect).map((one) => kawmSentence(one, kawm))
  return {
    grosse: [
      {
        name: `Soll (${TREES_PER_HA} je Hektar)`,
        wert: soll === null ? '–' : figure(soll),
        zusatz: flaeche === null ? 'ohne Fläche' : `auf ${hektar(flaeche)}`,
      },
      { name: 'Erfasst', wert: figure(erfasst), zusatz: origin },
      { name: 'Markiert', wert: figure(markiert), zusatz: origin },
      {
        name: 'Fehlen noch',
        wert: kawm.fehlend === null ? '–' : figure(kawm.fehlend),
        zusatz: kawm.fehlend_markiert === null ? '' : `zu markieren: ${figure(kawm.fehlend_markiert)}`,
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
          : `${germanDay(frist)} (${distance(tage)})`,
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
          : `${hektar(kawm.naturwald_soll)} ` +
            (kawm.naturwald_pflicht ? '(Pflicht ab mehr als 100 ha)' : '(bis 100 ha freiwillig)'),
      ],
      ['Habitatbäume', figure(kawm.baeume)],
      ['Anwärter', figure(kawm.anwaerter)],
      ['Bis zum Stichtag verloren', figure(kawm.verloren)],
      ['Erfasst, zählen nicht für die Förderung', figure(kawm.ohne_kawm)],
    ],
    maengel: sentencesOf(true),
    hinweise: sentencesOf(false),
    erklaerung:
      'Gezählt sind Bäume und Anwärter, die bis zum Stichtag erfasst, ' +
      'bis dahin nicht verloren und für die Förderung vorgesehen waren; ' +
      'als markiert zählt, wessen Markierung kein späteres Datum trägt. Art, ' +
      'Zustand, Strukturen und Lage sind die zur Zeit der Erstellung hinterlegten.',
  }
}
