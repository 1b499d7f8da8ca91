// Habitat trees in files from elsewhere: which column holds which field, and what its words mean, as declared
// with the fields (habitatbaum-fields.ts). Exports write the codes; imports read codes, names and common variants.
import { type ColumnsWith, columnsWith, type Field } from '../fields.ts'
import { HABITATBAUM_FIELDS } from '../habitatbaum-fields.ts'
import { type DataField, type FieldKind, foldText, matchColumns } from '../vermessung/fields.ts'
import type { ImportLoss } from '../vermessung/losses.ts'
import { HABITAT_SPECIES, kindName } from './species.ts'
import { STRUCTURES, type StructureDetail, structureOf } from './structures.ts'

type Columns = typeof HABITATBAUM_FIELDS
export type HabitatField = ColumnsWith<Columns, 'import'>
type FileKind = Exclude<FieldKind, 'wahl'>
interface FileField extends DataField {
  readonly name: HabitatField
  readonly art: FileKind
}

const KINDS: Readonly<Record<Columns[HabitatField]['kind'], FileKind>> = {
  uuid: 'text',
  line: 'text',
  text: 'text',
  species: 'text',
  choice: 'text',
  structures: 'text',
  amount: 'zahl',
  number: 'ganz',
  date: 'tag',
  boolean: 'ja_nein',
}

function fileField(name: HabitatField): FileField {
  const field: Field = HABITATBAUM_FIELDS[name]
  const art = KINDS[HABITATBAUM_FIELDS[name].kind]
  return {
    name,
    art,
    ...(art === 'text' && field.longest !== undefined && { laengste: field.longest }),
    // Of a little too little the database says what is right.
    ...(field.atLeast !== undefined && { atLeast: Math.floor(field.atLeast) }),
    ...(field.atMost !== undefined && { atMost: field.atMost }),
    ...(art === 'zahl' && field.decimals !== undefined && { decimals: field.decimals }),
    ...((field.unit === 'cm' || field.unit === 'm') && { einheit: field.unit }),
    spalten: HABITATBAUM_FIELDS[name].import.aliases.split(' '),
  }
}
/** The fields that files have, in their order. */
export const HABITAT_FIELDS: readonly FileField[] = columnsWith(HABITATBAUM_FIELDS, 'import').map(fileField)

/** The code that a word means; '' for words of no choice, undefined for others. */
function codeOf(name: HabitatField, word: string): string | undefined {
  const { choices = {}, import: imported }: Field = HABITATBAUM_FIELDS[name]
  const folded = foldText(word)
  const hit = Object.entries(choices).find(
    ([code, { aliases }]) => foldText(code) === folded || aliases.split(' ').includes(folded),
  )
  return hit?.[0] ?? (imported?.none?.split(' ').includes(folded) ? '' : undefined)
}

/** Field → column, by the headings; each column is used for one field. */
export const habitatMapping = (columns: readonly string[]): Partial<Record<HabitatField, string>> =>
  matchColumns(HABITAT_FIELDS, columns)

/** Foresters' abbreviations, in addition to the codes and the German and Latin names. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  rbu: 'bu',
  buche: 'bu',
  eiche: 'tei',
  ei: 'tei',
  stei: 'sei',
  trei: 'tei',
  gemeineesche: 'es',
  ahorn: 'bah',
  hainbuche: 'hbu',
  linde: 'wli',
  kirsche: 'vki',
  kir: 'vki',
  birke: 'sbi',
  bi: 'sbi',
  erle: 'rer',
  er: 'rer',
  roterle: 'rer',
  zitterpappel: 'as',
  gfi: 'fi',
  rotfichte: 'fi',
  gemeinefichte: 'fi',
  tanne: 'ta',
  wta: 'ta',
  kiefer: 'ki',
  gki: 'ki',
  gemeinekiefer: 'ki',
  laerche: 'ela',
  la: 'ela',
  elae: 'ela',
  jlae: 'jla',
  ulme: 'bul',
  eberesche: 'vbe',
  esskastanie: 'kas',
}
const BY_WORD: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SHORT_FORMS),
  ...HABITAT_SPECIES.flatMap(({ code, de, en, latin }) =>
    [code, de, en, latin].filter((word) => word !== '').map((word) => [foldText(word), code] as const),
  ),
])

/** Words for a genus of which the list has several species; the most frequent one is taken. */
const GENERA: ReadonlySet<string> = new Set(
  'eiche ei ahorn linde birke bi erle er ulme laerche la'.split(' '),
)

/** Code of the species; an unknown one is kept in words, and so is one that was narrowed. */
export function parseSpecies(text: string): { art: string; art_text: string | null; narrowed?: true } {
  const word = foldText(text)
  const code = BY_WORD.get(word)
  if (code === undefined) return { art: 'sonstige', art_text: text }
  return GENERA.has(word) ? { art: code, art_text: text, narrowed: true } : { art: code, art_text: null }
}

/** Rows whose word names a genus, for the preview. */
export interface NarrowedTally {
  count(text: unknown): void
  all(schicht: string): ImportLoss[]
}
export function createNarrowedTally(): NarrowedTally {
  let count = 0
  const words = new Set<string>()
  return {
    count(text) {
      const { art, narrowed } = parseSpecies(String(text))
      if (narrowed !== true) return
      count += 1
      words.add(`${String(text).trim()} → ${kindName(art, null)}`)
    },
    all: (layer) =>
      count === 0
        ? []
        : [{ schicht: layer, art: 'art_enger', anzahl: count, spalten: [...words].toSorted() }],
  }
}

/** "1.3 ×2; 5.1; Blitzrinne": codes or names, each with an optional count. Null if one of them is unknown. */
export function parseStructures(text: string): StructureDetail[] | null {
  const all = new Map<string, StructureDetail>()
  for (const part of text.split(/[;|\n]|,(?!\d)/)) {
    const found = /^\s*(.*?)\s*(?:[×x*]\s*(\d{1,3}))?\s*$/.exec(part)
    const word = found?.[1] ?? ''
    if (word === '') continue
    const structure =
      structureOf(word.toUpperCase()) ??
      STRUCTURES.find(({ system, de }) => system === 'larrieu_2018' && foldText(de) === foldText(word))
    const quantity = found?.[2] === undefined ? null : Number(found[2])
    if (structure === undefined || quantity === 0) return null
    all.set(structure.code, { code: structure.code, system: structure.system, menge: quantity })
  }
  return [...all.values()]
}
export const structuresText = (structures: readonly StructureDetail[]): string =>
  structures.map(({ code, menge }) => (menge === null ? code : `${code} ×${menge}`)).join('; ')

type Value = string | number | boolean | StructureDetail[] | null
/**
 * The values of a row, each already of its field's kind, in the form of a capture; values that are not
 * understood are reported.
 */
export function habitatValues(
  values: Readonly<Record<string, string | number | boolean | null>>,
  tell: (field: HabitatField, rule: string, wert: unknown) => void,
): Record<string, Value> {
  const all: Record<string, Value> = {}
  for (const { name } of HABITAT_FIELDS) {
    const value = values[name]
    if (value === undefined || value === null) continue
    if (name === 'art') {
      const { art, art_text } = parseSpecies(String(value))
      all['art'] = art
      // Its own text in the file comes later and takes precedence.
      if (art_text !== null) all['art_text'] = art_text
    } else if (name === 'strukturen') {
      const structures = parseStructures(String(value))
      if (structures === null) tell(name, 'habitat_struktur_unbekannt', value)
      else all[name] = structures
    } else if (HABITATBAUM_FIELDS[name].kind === 'choice') {
      const code = codeOf(name, String(value))
      if (code === undefined) tell(name, 'habitat_wort', value)
      else if (code !== '') all[name] = code
    } else all[name] = value
  }
  return all
}
