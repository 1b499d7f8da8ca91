// Forest stands: how their address is written, their order, how a holding is narrowed level by level, and the
// sums of their areas and stocks.

export const DEFAULT_LEVELS = ['Forstamt', 'Revier', 'Abteilung', 'Unterabteilung', 'Teilfläche'] as const

export interface Address {
  /** Five levels, from the largest unit down; null or '' if there is none. */
  readonly l: readonly (string | null)[]
  readonly s: number | null
}
/** [layer, species, per cent of the layer, hectares, years, Vfm] */
export type Kind = readonly [
  schicht: string | null,
  baumart: string,
  anteil: number | null,
  ha: number | null,
  alter: number | null,
  vorrat: number | null,
]
export interface Stand extends Address {
  readonly ha: number
  readonly ak: number | null
  readonly vorrat: number | null
  readonly arten: readonly Kind[]
}

// --- Addresses

const SHORT: Readonly<Record<string, string>> = {
  forstamt: 'FoA',
  forstbetrieb: 'FB',
  forstrevier: 'Rev.',
  revier: 'Rev.',
  betriebsteil: 'BT',
  distrikt: 'Distr.',
  abteilung: 'Abt.',
  jagen: 'Jg.',
  forstort: 'FO',
}
/** A number, a number with a letter or a Roman numeral, which means nothing without the name of its level. */
const IS_NUMBER = /^(?:\d+ ?[a-z]?\d*|[IVXLC]+)$/

/** One level: 'Rev. 3', 'Rotbuchenschlag', and for the smaller levels just 'b'. */
export function levelText(wert: string, level: string): string {
  const short = SHORT[level.toLowerCase()]
  return short !== undefined && IS_NUMBER.test(wert) ? `${short} ${wert}` : wert
}
/** 'Rev. 3 / Abt. 17 / b / 2'; '–' if nothing is known. */
export function addressText({ l, s }: Address, levelNames: readonly string[]): string {
  const parts = l.flatMap((wert, at) =>
    wert === null || wert === '' ? [] : [levelText(wert, levelNames[at] ?? '')],
  )
  if (s !== null) parts.push(String(s))
  return parts.length === 0 ? '–' : parts.join(' / ')
}
/** Two addresses are the same if their keys are equal. */
export const addressKey = ({ l, s }: Address): string => JSON.stringify([...l.map((wert) => wert ?? ''), s])

/** Same as search.natural_key in the database: folded according to DIN 5007-1, numbers by their value. */
export function naturalKey(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9 ]/g, '')
    .replaceAll(/\d+/g, (digits) => (digits.length > 9 ? digits : digits.padStart(9, '0')))
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** '12a' sorts after '2b', and empty before anything else. */
export const compareTexts = (a: string | null, b: string | null): number =>
  compare(naturalKey(a ?? ''), naturalKey(b ?? ''))

// --- Narrowing level by level

/** The choice at each level; null: not narrowed, '': those without a value there. */
export type Choice = readonly (string | null)[]
export interface Level {
  /** 0 to 4 */
  readonly ebene: number
  readonly name: string
  readonly gewaehlt: string | null
  readonly werte: readonly { readonly wert: string; readonly anzahl: number; readonly ha: number }[]
}

export const fits = ({ l }: Address, selection: Choice): boolean =>
  selection.every((chosen, at) => chosen === null || (l[at] ?? '') === chosen)

/**
 * The levels to choose from now: each with what remains after the choices above it, down to the first one
 * still open. A level that cannot narrow anything (no stand has a value, or all have the same one and it was
 * not chosen) is skipped.
 */
export function levels<Row extends Address & { readonly ha: number }>(
  rows: readonly Row[],
  selection: Choice,
  levelNames: readonly string[],
): Level[] {
  const all: Level[] = []
  let left = rows
  for (let level = 0; level < 5; level++) {
    const counts = new Map<string, { anzahl: number; ha: number }>()
    for (const { l, ha } of left) {
      const wert = l[level] ?? ''
      const count = counts.get(wert) ?? { anzahl: 0, ha: 0 }
      counts.set(wert, { anzahl: count.anzahl + 1, ha: count.ha + ha })
    }
    const chosen = selection[level] ?? null
    const says = counts.size > 1 || (chosen !== null && counts.size > 0)
    if (says)
      all.push({
        ebene: level,
        name: levelNames[level] || (DEFAULT_LEVELS[level] ?? ''),
        gewaehlt: chosen,
        werte: [...counts]
          .map(([wert, count]) => ({ wert, ...count }))
          .toSorted((a, b) => Number(a.wert === '') - Number(b.wert === '') || compareTexts(a.wert, b.wert)),
      })
    if (says && chosen === null) return all
    if (chosen !== null) left = left.filter(({ l }) => (l[level] ?? '') === chosen)
  }
  return all
}

/** A choice at one level clears those below it. */
export const chooseLevel = (selection: Choice, level: number, wert: string | null): Choice =>
  Array.from({ length: 5 }, (_, at) => (at < level ? (selection[at] ?? null) : at === level ? wert : null))

// --- Age

export const CLASS_YEARS = 20
/** 1 for 1 to 20 years; age 0 belongs to the first class too. */
export const ageClassOf = (alter: number | null): number | null =>
  alter === null ? null : Math.max(1, Math.ceil(alter / CLASS_YEARS))

const ROMAN: readonly (readonly [number, string])[] = [
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]
/** 4 → IV */
export function romanOf(value: number): string {
  let [left, text] = [value, '']
  for (const [worth, sign] of ROMAN)
    while (left >= worth) {
      text += sign
      left -= worth
    }
  return text
}
/** All older stands are in this class, as is customary. */
export const LAST_CLASS = 9
export const classOf = (ak: number | null): number | null => (ak === null ? null : Math.min(ak, LAST_CLASS))
/** 'III', 'IX+' */
export const classText = (ageClass: number): string =>
  ageClass >= LAST_CLASS ? `${romanOf(LAST_CLASS)}+` : romanOf(ageClass)
/** Ages of a class as [from, to]; `to` is null for the last class. */
export const classYears = (ageClass: number): readonly [from: number, to: number | null] => [
  (ageClass - 1) * CLASS_YEARS + 1,
  ageClass >= LAST_CLASS ? null : ageClass * CLASS_YEARS,
]

// --- Species

export const GROUPS = ['EI', 'BU', 'ALH', 'ALN', 'FI', 'TA', 'DGL', 'KI', 'LAE', 'SONST', 'OHNE'] as const
/** Groups of species as management plans sum them; OHNE: stands for which the plan names no species. */
export type Group = (typeof GROUPS)[number]

/**
 * German name, and a colour as customary on such maps: oak ochre, beech brown, soft broadleaves light, spruce
 * blue, fir and Douglas fir green, pine grey to red. Distinguishable in greyscale too.
 */
export const GROUP: Readonly<Record<Group, { readonly name: string; readonly farbe: string }>> = {
  EI: { name: 'Eiche', farbe: '#d9a400' },
  BU: { name: 'Buche', farbe: '#8a5a2b' },
  ALH: { name: 'Edellaubholz', farbe: '#c2557f' },
  ALN: { name: 'Weichlaubholz', farbe: '#e9c9d8' },
  FI: { name: 'Fichte', farbe: '#3b6fb6' },
  TA: { name: 'Tanne', farbe: '#14532d' },
  DGL: { name: 'Douglasie', farbe: '#7fb069' },
  KI: { name: 'Kiefer', farbe: '#b9bfc6' },
  LAE: { name: 'Lärche', farbe: '#e3722b' },
  SONST: { name: 'Sonstige', farbe: '#7a6f9b' },
  OHNE: { name: 'Ohne Angabe', farbe: '#f4f1e6' },
}

/**
 * Names and abbreviations as the Länder write them, folded; names of four letters or more also match at the
 * start or end of a word.
 */
const NAMES: Readonly<Record<Exclude<Group, 'SONST' | 'OHNE'>, string>> = {
  EI: 'ei eiche sei tei rei stei trei stieleiche traubeneiche roteiche quercus seiche teiche',
  BU: 'bu buche rbu rotbuche hbu hainbuche fagus carpinus',
  ALH:
    'alh edellaub hartlaub ah bah sah fah ahorn bergahorn spitzahorn feldahorn es esche gesche ul ' +
    'rue ulme bergulme flatterulme kir vki kirsche vogelkirsche els elsbeere sp speierling li wli ' +
    'sli linde winterlinde sommerlinde nus nuss walnuss rob robinie kas ka kastanie edelkastanie eka ' +
    'acer fraxinus tilia',
  ALN:
    'aln weichlaub bi birke sbi mbi sandbirke moorbirke er rer wer erle roterle schwarzerle ' +
    'weisserle ser grauerle pa pappel as aspe zitterpappel wei weide salweide eb vb eberesche ' +
    'vogelbeere betula alnus populus salix',
  FI: 'fi fichte gfi rotfichte sfi sitkafichte blaufichte picea piceaabies',
  TA: 'ta tanne wta weisstanne kta kuestentanne abies nordmannstanne',
  DGL: 'dgl dg dougl douglasie pseudotsuga',
  KI: 'ki kiefer gki waldkiefer ski schwarzkiefer wki weymouthskiefer strobe pinus bergkiefer',
  LAE: 'lae ela elae jla jlae hla hlae laerche larche larix',
}
const GROUP_OF = new Map(
  Object.entries(NAMES).flatMap(([group, names]) =>
    names.split(' ').map((name) => [fold(name), group as Group] as const),
  ),
)
function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z]/g, '')
}
const LONG = [...GROUP_OF].filter(([name]) => name.length >= 4).toSorted(([a], [b]) => b.length - a.length)

export function groupOf(baumart: string): Group {
  const text = fold(baumart)
  const known = GROUP_OF.get(text)
  if (known !== undefined) return known
  return LONG.find(([name]) => text.startsWith(name) || text.endsWith(name))?.[1] ?? 'SONST'
}

// --- Sums

/** Layers below or above the main one do not count towards the stand's area. */
const SECONDARY = /unter|über|ueber|nachwuchs|verj|jungwuchs|^u$|^ust$|^üh$|^nw$|^vj$|^[23]$/i
const isMain = ([layer]: Kind): boolean => layer === null || !SECONDARY.test(layer)

/** Plans have a 0 where a column is not used: beside a share it says nothing. */
const knownArea = ([, , share, area]: Kind): number | null =>
  area === 0 && share !== null && share > 0 ? null : area
/**
 * The stand's area divided among groups of species; the parts add up to the stand's area, whatever the plan's
 * shares add up to.
 */
export function areasByGroup({ ha, arten }: Pick<Stand, 'ha' | 'arten'>): Map<Group, number> {
  const main = arten.some(isMain) ? arten.filter(isMain) : arten
  const weights = new Map<Group, number>()
  const areas = main.map(knownArea)
  const byArea = areas.every((area) => area !== null) && areas.some((area) => area! > 0)
  const byShare = main.every(([, , share]) => share !== null)
  for (const [at, [, baumart, share]] of main.entries()) {
    const weight = byArea ? areas[at]! : byShare ? share! : 1
    const group = groupOf(baumart)
    weights.set(group, (weights.get(group) ?? 0) + weight)
  }
  const sum = [...weights.values()].reduce((all, one) => all + one, 0)
  if (sum <= 0) return new Map([['OHNE', ha]])
  return new Map([...weights].map(([group, weight]) => [group, (ha * weight) / sum]))
}
/** The group with the largest part; ties go to the one that comes first in GROUPS. */
export function leadingGroupOf(stand: Pick<Stand, 'ha' | 'arten'>): Group {
  const parts = areasByGroup(stand)
  let best: Group = 'OHNE'
  for (const group of GROUPS) if ((parts.get(group) ?? 0) > (parts.get(best) ?? 0)) best = group
  return best
}

/** Vfm of a stand: the plan's value, or the sum of its species; null if neither is known. */
export function stockOf({ vorrat, arten }: Pick<Stand, 'vorrat' | 'arten'>): number | null {
  if (vorrat !== null) return vorrat
  const known = arten.flatMap(([, , , , , one]) => (one === null ? [] : [one]))
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}

export interface Sums {
  readonly anzahl: number
  readonly ha: number
  readonly vorrat: number
  /** Vfm per hectare, over the area of the stands with a known stock. */
  readonly stockPerHa: number | null
  readonly withoutStock: number
}
export function sumsOf(rows: readonly Pick<Stand, 'ha' | 'vorrat' | 'arten'>[]): Sums {
  let [ha, stock, haWithStock, without] = [0, 0, 0, 0]
  for (const row of rows) {
    ha += row.ha
    const one = stockOf(row)
    if (one === null) without += 1
    else {
      stock += one
      haWithStock += row.ha
    }
  }
  return {
    anzahl: rows.length,
    ha,
    vorrat: stock,
    stockPerHa: haWithStock > 0 ? stock / haWithStock : null,
    withoutStock: without,
  }
}

export interface Share<Key> {
  readonly key: Key
  readonly ha: number
}
/** Area by group of species, in the order of GROUPS; groups without any are omitted. */
export function byGroup(rows: readonly Pick<Stand, 'ha' | 'arten'>[]): Share<Group>[] {
  const sums = new Map<Group, number>()
  for (const row of rows)
    for (const [group, ha] of areasByGroup(row)) sums.set(group, (sums.get(group) ?? 0) + ha)
  return GROUPS.flatMap((key) => (sums.has(key) ? [{ key, ha: sums.get(key)! }] : []))
}
/** Area by age class, every class from the first to the last that occurs; null: unknown age, last. */
export function byClass(rows: readonly Pick<Stand, 'ha' | 'ak'>[]): Share<number | null>[] {
  const sums = new Map<number | null, number>()
  for (const { ha, ak } of rows) sums.set(classOf(ak), (sums.get(classOf(ak)) ?? 0) + ha)
  const last = Math.max(0, ...[...sums.keys()].filter((key) => key !== null))
  const all: Share<number | null>[] = Array.from({ length: last }, (_, at) => ({
    key: at + 1,
    ha: sums.get(at + 1) ?? 0,
  }))
  return sums.has(null) ? [...all, { key: null, ha: sums.get(null)! }] : all
}
