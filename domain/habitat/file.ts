// Habitat trees in files from elsewhere: which column holds which field, and what its words mean. Exports
// write the codes; imports read codes, names and common variants.
import { type DataField, foldText } from '../vermessung/fields.ts'
import { HABITAT_SPECIES } from './species.ts'
import { STRUCTURES, type StructureDetail, structureOf } from './structures.ts'

type Entry = DataField & { readonly woerter?: Readonly<Record<string, readonly string[]>> }

export const HABITAT_FIELDS = [
  { name: 'kennung', art: 'text', laengste: 36, spalten: ['kennung', 'uuid', 'guid', 'globalid'] },
  {
    name: 'nummer',
    art: 'text',
    laengste: 40,
    spalten: [
      'nummer',
      'baumnummer',
      'baumnr',
      'nr',
      'plakette',
      'plakettennummer',
      'plakettennr',
      'lfdnr',
      'id',
      'name',
    ],
  },
  { name: 'art', art: 'text', laengste: 100, spalten: ['art', 'baumart', 'ba', 'artcode', 'species'] },
  { name: 'art_text', art: 'text', laengste: 100, spalten: ['arttext', 'artfrei', 'artname'] },
  {
    name: 'bhd_cm',
    art: 'zahl',
    decimals: 1,
    atLeast: 0,
    atMost: 500,
    spalten: ['bhdcm', 'bhd', 'durchmesser', 'brusthoehendurchmesser', 'dbh', 'd13'],
  },
  {
    name: 'hoehe_m',
    art: 'zahl',
    decimals: 1,
    atLeast: 0,
    atMost: 80,
    spalten: ['hoehem', 'hoehe', 'baumhoehe', 'height'],
  },
  {
    name: 'zustand',
    art: 'text',
    laengste: 100,
    spalten: ['zustand', 'vitalitaet', 'condition'],
    woerter: {
      lebend: ['lebend', 'lebendig', 'vital', 'gesund', 'alive'],
      absterbend: ['absterbend', 'sterbend', 'geschwaecht', 'dying'],
      tot_stehend: ['totstehend', 'tot', 'stehendtot', 'stehendestotholz', 'totholz', 'dead'],
      stumpf: ['stumpf', 'hochstumpf', 'stump'],
    },
  },
  {
    name: 'status',
    art: 'text',
    laengste: 100,
    spalten: ['status', 'kategorie', 'typ'],
    woerter: {
      baum: ['baum', 'habitatbaum', 'tree', 'habitat'],
      anwaerter: ['anwaerter', 'habitatbaumanwaerter', 'habitatanwaerter', 'kandidat', 'candidate'],
    },
  },
  {
    name: 'strukturen',
    art: 'text',
    laengste: 500,
    spalten: ['strukturen', 'struktur', 'mikrohabitate', 'mikrohabitat', 'trems', 'merkmale'],
  },
  {
    name: 'markierung_art',
    art: 'text',
    laengste: 100,
    spalten: ['markierungart', 'markierung', 'markiert', 'kennzeichnung', 'marking'],
    woerter: {
      welle: ['welle', 'wellenlinie', 'weissewelle', 'weissewellenlinie'],
      farbe: ['farbe', 'farbpunkt', 'farbmarkierung', 'spray'],
      plakette: ['plakette', 'schild', 'nummer'],
      band: ['band', 'farbband'],
      sonstige: ['sonstige', 'ja', 'x', '1', 'true', 'wahr', 'yes'],
      '': ['nein', 'keine', '0', 'false', 'falsch', 'ohne', 'no'],
    },
  },
  {
    name: 'markierung_datum',
    art: 'tag',
    spalten: ['markierungdatum', 'markiertam', 'markierungam', 'datummarkierung'],
  },
  {
    name: 'erfasst_am',
    art: 'tag',
    spalten: ['erfasstam', 'erfassungsdatum', 'datum', 'aufnahmedatum', 'aufgenommenam', 'date'],
  },
  {
    name: 'erfasser',
    art: 'text',
    laengste: 200,
    spalten: ['erfasser', 'bearbeiter', 'aufgenommenvon', 'kartierer', 'recorder'],
  },
  {
    name: 'genauigkeit_m',
    art: 'zahl',
    decimals: 2,
    atLeast: 0,
    atMost: 99_999,
    spalten: ['genauigkeitm', 'genauigkeit', 'accuracy', 'hdop'],
  },
  {
    name: 'lage_methode',
    art: 'text',
    laengste: 100,
    spalten: ['lagemethode', 'methode', 'lagequelle'],
    woerter: {
      gnss: ['gnss', 'gps'],
      rtk: ['rtk', 'gnssrtk', 'dgps'],
      karte: ['karte', 'map'],
      luftbild: ['luftbild', 'orthofoto', 'dop'],
      import: ['import'],
    },
  },
  { name: 'sLVL01', art: 'text', laengste: 60, spalten: ['slvl01', 'forstamt', 'betrieb'] },
  { name: 'sLVL02', art: 'text', laengste: 60, spalten: ['slvl02', 'revier', 'distrikt'] },
  { name: 'sLVL03', art: 'text', laengste: 60, spalten: ['slvl03', 'abteilung', 'abt', 'jagen'] },
  { name: 'sLVL04', art: 'text', laengste: 60, spalten: ['slvl04', 'unterabteilung', 'uabt'] },
  { name: 'sLVL05', art: 'text', laengste: 60, spalten: ['slvl05', 'teilflaeche', 'tfl'] },
  {
    name: 'iSTAND',
    art: 'ganz',
    atLeast: 0,
    atMost: 1_000_000,
    spalten: ['istand', 'bestand', 'bestandsnummer', 'bestandnr'],
  },
  {
    name: 'bemerkung',
    art: 'text',
    laengste: 2_000,
    spalten: ['bemerkung', 'bemerkungen', 'notiz', 'kommentar', 'anmerkung', 'remark'],
  },
  { name: 'verlust_datum', art: 'tag', spalten: ['verlustdatum', 'verlustam', 'abgangam', 'abgang'] },
  {
    name: 'verlust_grund',
    art: 'text',
    laengste: 100,
    spalten: ['verlustgrund', 'abgangsgrund', 'grund'],
    woerter: {
      windwurf: ['windwurf', 'sturm', 'windbruch'],
      entnommen: ['entnommen', 'gefaellt', 'faellung', 'ernte'],
      verkehrssicherung: ['verkehrssicherung', 'vsp'],
      brand: ['brand', 'feuer'],
      zersetzt: ['zersetzt', 'zerfallen', 'zerfall'],
      unbekannt: ['unbekannt', 'unknown'],
      sonstige: ['sonstige', 'sonstiges', 'andere'],
    },
  },
  { name: 'kawm', art: 'ja_nein', spalten: ['kawm', 'foerderung', 'foerderfaehig'] },
] as const satisfies readonly Entry[]
export type HabitatField = (typeof HABITAT_FIELDS)[number]['name']

/** Field → column, by the headings; each column is used for one field. */
export function habitatMapping(spalten: readonly string[]): Partial<Record<HabitatField, string>> {
  const folded = spalten.map((spalte) => [spalte, foldText(spalte)] as const)
  const taken = new Set<string>()
  const all: Partial<Record<HabitatField, string>> = {}
  for (const { name, spalten: names } of HABITAT_FIELDS)
    for (const wanted of names) {
      const hit = folded.find(([spalte, text]) => text === wanted && !taken.has(spalte))
      if (hit === undefined) continue
      all[name] = hit[0]
      taken.add(hit[0])
      break
    }
  return all
}

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

/** Code of the species; an unknown one is kept in words. */
export function parseSpecies(text: string): { art: string; art_text: string | null } {
  const code = BY_WORD.get(foldText(text))
  return code === undefined ? { art: 'sonstige', art_text: text } : { art: code, art_text: null }
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
    const menge = found?.[2] === undefined ? null : Number(found[2])
    if (structure === undefined || menge === 0) return null
    all.set(structure.code, { code: structure.code, system: structure.system, menge })
  }
  return [...all.values()]
}
export const structuresText = (strukturen: readonly StructureDetail[]): string =>
  strukturen.map(({ code, menge }) => (menge === null ? code : `${code} ×${menge}`)).join('; ')

type Value = string | number | boolean | StructureDetail[] | null
/**
 * The values of a row, each already of its field's kind, in the form of a capture; values that are not
 * understood are reported.
 */
export function habitatValues(
  werte: Readonly<Record<string, string | number | boolean | null>>,
  tell: (feld: HabitatField, regel: string, wert: unknown) => void,
): Record<string, Value> {
  const all: Record<string, Value> = {}
  for (const feld of HABITAT_FIELDS) {
    const value = werte[feld.name]
    if (value === undefined || value === null) continue
    if (feld.name === 'art') {
      const { art, art_text } = parseSpecies(String(value))
      all['art'] = art
      // A text of its own in the file comes later and takes precedence.
      if (art_text !== null) all['art_text'] = art_text
    } else if (feld.name === 'strukturen') {
      const strukturen = parseStructures(String(value))
      if (strukturen === null) tell('strukturen', 'habitat_struktur_unbekannt', value)
      else all['strukturen'] = strukturen
    } else if ('woerter' in feld) {
      const code = Object.entries(feld.woerter as Readonly<Record<string, readonly string[]>>).find(
        ([key, words]) =>
          foldText(key) === foldText(String(value)) || words.includes(foldText(String(value))),
      )?.[0]
      if (code === undefined) tell(feld.name, 'habitat_wort', value)
      else if (code !== '') all[feld.name] = code
    } else all[feld.name] = value
  }
  return all
}
