// A management plan (Forsteinrichtung) from elsewhere: its two kinds of tables, their fields, which columns
// contain them, and what is wrong with a row.
import { type Address, addressKey, ageClassOf, DEFAULT_LEVELS } from './bestand.ts'
import { type AreaUnit, PER_HECTARE } from './bestand-area.ts'
import type { Conversion } from './projection.ts'
import { type DataField, foldText, type LayerKind, matchColumns } from './vermessung/fields.ts'
import { type Area, GeometryFault, placesOf, converted } from './vermessung/geometry.ts'
import { type ObjectFaultKind, readValues, type RawObject, shown, type Values } from './vermessung/check.ts'

export const FE_TABLES = ['bestand', 'baumarten'] as const
export type FeTable = (typeof FE_TABLES)[number]
export const isFeTable = (text: unknown): text is FeTable => (FE_TABLES as readonly unknown[]).includes(text)

export type FeFaultKind =
  | ObjectFaultKind
  | 'geometrie_keine_flaeche'
  | 'adresse_fehlt'
  | 'adresse_doppelt'
  | 'bestand_fehlt'
  | 'baumart_fehlt'
export interface FeFault {
  readonly schicht: string
  readonly nr: number
  readonly feld: string
  readonly art: FeFaultKind
  readonly wert: string
}

const LEVEL_COLUMNS = [
  ['slvl01', 'lvl1', 'level1', 'ebene1', 'forstamt', 'fa', 'foa', 'forstbetrieb', 'betrieb'],
  ['slvl02', 'lvl2', 'level2', 'ebene2', 'revier', 'rev', 'forstrevier', 'distrikt', 'distr', 'betriebsteil'],
  ['slvl03', 'lvl3', 'level3', 'ebene3', 'abteilung', 'abt', 'abtnr', 'jagen'],
  ['slvl04', 'lvl4', 'level4', 'ebene4', 'unterabteilung', 'uabt', 'unterabt', 'ua', 'uabteilung'],
  ['slvl05', 'lvl5', 'level5', 'ebene5', 'teilflaeche', 'tfl', 'teilfl'],
] as const
/** The headquarters' own names for its levels take precedence over the usual ones. */
const addressFields = (levels: readonly string[]): DataField[] => {
  const own = levels.map(foldText)
  return [
    ...LEVEL_COLUMNS.map((columns, at): DataField => {
      const others = own.filter((name, nr) => name !== '' && nr !== at)
      return {
        name: `sLVL0${at + 1}`,
        art: 'text',
        laengste: 60,
        spalten: [
          columns[0],
          ...(own[at] ? [own[at]] : []),
          ...columns.slice(1).filter((name) => !others.includes(name)),
        ],
      }
    }),
    {
      name: 'iSTAND',
      art: 'ganz',
      atLeast: 0,
      atMost: 1_000_000_000,
      spalten: ['istand', 'stand', 'bestandnr', 'bestandsnr', 'bestandsnummer', 'bestnr', 'bestand'],
    },
  ]
}
const AGE: DataField = {
  name: 'alter',
  art: 'ganz',
  atLeast: 0,
  atMost: 1_000,
  spalten: ['alter', 'bestandesalter', 'alterjahre', 'age'],
}
const AREA: DataField = {
  name: 'flaeche_ha',
  art: 'zahl',
  atLeast: 0,
  atMost: 999_999,
  decimals: 4,
  spalten: [
    'flaecheha',
    'flaeche',
    'flha',
    'ha',
    'hbflaeche',
    'holzboden',
    'areaha',
    'flaechem2',
    'flaecheqm',
    // Of "Fläche (m²)".
    'flaechem',
    'flaechear',
    'flm2',
    'flqm',
    'aream2',
    'areasqm',
    'area',
  ],
}
/** As it may stand in the file: of a hundred thousand hectares in square metres, and of a tenth of one. */
const ANY_AREA: DataField = { ...AREA, atMost: AREA.atMost! * PER_HECTARE.m2, decimals: 8 }
const STOCK: DataField = {
  name: 'vorrat',
  art: 'zahl',
  atLeast: 0,
  atMost: 99_999_999,
  decimals: 1,
  spalten: [
    'vorrat',
    'vorratvfm',
    'vorratges',
    'vorratgesamt',
    'vfm',
    'vfmd',
    // Of a hectare: bestand-stock.ts.
    'vorratha',
    'vorratjeha',
    'vorratvfmha',
    'vfmha',
  ],
}
const REMARK: DataField = {
  name: 'bemerkung',
  art: 'text',
  laengste: 2_000,
  spalten: ['bemerkung', 'bemerkungen', 'bem', 'kommentar', 'text', 'anmerkung'],
}
/** The limits match db/migrations/0027_bestand.sql. */
export function feFieldsOf(table: FeTable, levels: readonly string[] = DEFAULT_LEVELS): readonly DataField[] {
  return table === 'bestand'
    ? [
        ...addressFields(levels),
        AREA,
        { name: 'stichtag', art: 'tag', spalten: ['stichtag', 'festichtag', 'dtfe', 'datum'] },
        {
          name: 'nutzungsart',
          art: 'text',
          laengste: 100,
          spalten: ['nutzungsart', 'nutzart', 'betriebsart', 'na', 'nutzung'],
        },
        {
          name: 'bestandestyp',
          art: 'text',
          laengste: 100,
          spalten: [
            'bestandestyp',
            'bestandstyp',
            'bestandesform',
            'bestockungstyp',
            'wet',
            'bestandeszieltyp',
            'typ',
          ],
        },
        AGE,
        { name: 'altersklasse', art: 'ganz', atLeast: 1, atMost: 50, spalten: ['altersklasse', 'ak', 'akl'] },
        STOCK,
        REMARK,
      ]
    : [
        ...addressFields(levels),
        { name: 'schicht', art: 'text', laengste: 60, spalten: ['schicht', 'bestandesschicht', 'layer'] },
        {
          name: 'baumart',
          art: 'text',
          laengste: 80,
          spalten: ['baumart', 'ba', 'bart', 'baumartname', 'art', 'species'],
        },
        {
          name: 'anteil',
          art: 'zahl',
          atLeast: 0,
          atMost: 100,
          decimals: 2,
          spalten: ['anteil', 'anteilproz', 'anteilprozent', 'mischungsanteil', 'proz', 'prozent'],
        },
        AREA,
        AGE,
        {
          name: 'ertragsklasse',
          art: 'text',
          laengste: 20,
          spalten: ['ertragsklasse', 'ekl', 'ek', 'bonitaet', 'bon', 'dgz100', 'lkl', 'leistungsklasse'],
        },
        STOCK,
        REMARK,
      ]
}
/** By name, otherwise by content: areas are stands, rows without a location are species. */
export function feTableOf(name: string, geometry: LayerKind | null): FeTable | null {
  if (geometry === 'punkt' || geometry === 'linie') return null
  if (/baumart|bestockung|species/.test(foldText(name))) return 'baumarten'
  return geometry === 'flaeche' ? 'bestand' : geometry === 'ohne' ? 'baumarten' : null
}
export const feMappingOf = (
  table: FeTable,
  columns: readonly string[],
  levels: readonly string[],
): Record<string, string> => matchColumns(feFieldsOf(table, levels), columns)

const ROMAN = /^(?=[IVXL])(?:X{0,3}|XL|L)(?:IX|IV|V?I{0,3})$/
const WORTH: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50 }
/** 'III' → 3; anything else is returned unchanged. */
export function fromRoman(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().replace(/[.+]$/, '').toUpperCase() : ''
  if (!ROMAN.test(text)) return value
  return [...text].reduce((sum, sign, at) => {
    const [here, next] = [WORTH[sign]!, WORTH[text[at + 1] ?? ''] ?? 0]
    return sum + (here < next ? -here : here)
  }, 0)
}

export const addressOf = (values: Values): Address => ({
  l: Array.from({ length: 5 }, (_, at) => (values[`sLVL0${at + 1}`] as string | undefined) ?? null),
  s: (values['iSTAND'] as number | undefined) ?? null,
})
export interface FeObject {
  readonly nr: number
  readonly werte: Values
  readonly adresse: Address
  /** Stands only; longitude and latitude in ETRS89. */
  readonly flaeche: Area | null
}
export interface FeLayer {
  readonly name: string
  readonly tabelle: FeTable
  /** Field → column. */
  readonly felder: Readonly<Record<string, string>>
}

/** Germany with a generous margin, in degrees. */
export const isInGermany = ([lon, lat]: readonly [number, number]): boolean =>
  lon > 3 && lon < 18 && lat > 45 && lat < 57

/** The area as the file states it, whatever its unit is; null if it states none. */
export function statedArea({ felder }: Pick<FeLayer, 'felder'>, row: RawObject['werte']): number | null {
  const { flaeche_ha: stated } = readValues([ANY_AREA], felder, row, () => undefined)
  return typeof stated === 'number' && stated > 0 ? stated : null
}

/**
 * Checks the rows of one layer. `addresses` collects those of all stands so far: stands come before species.
 * `convert` converts to degrees.
 */
export function createFeChecker(
  layer: FeLayer,
  {
    convert,
    ebenen,
    addresses,
    einheit = 'ha',
  }: {
    readonly convert: Conversion | null
    readonly ebenen: readonly string[]
    readonly addresses: Set<string>
    /** Of the column with the areas. */
    readonly einheit?: AreaUnit
  },
  tell: (fault: FeFault) => void,
) {
  const perHectare = PER_HECTARE[einheit]
  const area = { ...ANY_AREA, atMost: AREA.atMost! * perHectare }
  const fields = feFieldsOf(layer.tabelle, ebenen).map((field) => (field === AREA ? area : field))
  const stands = layer.tabelle === 'bestand'
  function placed(
    rawFeature: RawObject,
    fault: (field: string, art: FeFaultKind, wert?: unknown) => null,
  ): Area | null {
    const { geometrie } = rawFeature
    if (geometrie === null) return fault('geometrie', 'geometrie_leer')
    if (geometrie instanceof GeometryFault) return fault('geometrie', geometrie.code)
    if (geometrie.art !== 'flaeche') return fault('geometrie', 'geometrie_keine_flaeche')
    if (convert === null) return fault('geometrie', 'ort_ausserhalb')
    try {
      const there = converted(geometrie, convert)
      const outside = placesOf(there).findIndex((ort) => !isInGermany(ort))
      return outside < 0
        ? there
        : fault('geometrie', 'ort_ausserhalb', placesOf(geometrie)[outside]?.join(' / '))
    } catch {
      return fault('geometrie', 'ort_ausserhalb', placesOf(geometrie)[0]?.join(' / '))
    }
  }
  return {
    /** null if it has faults, which have been reported. */
    runCheck(rawFeature: RawObject): FeObject | null {
      let sound = true
      const fault = (field: string, art: FeFaultKind, wert: unknown = ''): null => {
        tell({ schicht: layer.name, nr: rawFeature.nr, feld: field, art, wert: shown(wert) })
        sound = false
        return null
      }
      const outline = stands ? placed(rawFeature, fault) : null
      const ageClass = layer.felder['altersklasse']
      const values =
        ageClass === undefined
          ? rawFeature.werte
          : { ...rawFeature.werte, [ageClass]: fromRoman(rawFeature.werte[ageClass]) }
      const given = readValues(fields, layer.felder, values, fault)
      const stated = given['flaeche_ha']
      if (typeof stated === 'number')
        given['flaeche_ha'] = Number((stated / perHectare).toFixed(AREA.decimals))
      const address = addressOf(given)
      const key = addressKey(address)
      if (address.s === null && address.l.every((one) => one === null)) fault('adresse', 'adresse_fehlt')
      else if (stands && addresses.has(key))
        fault('adresse', 'adresse_doppelt', [...address.l, address.s].filter(Boolean).join(' / '))
      else if (!stands && !addresses.has(key))
        fault('adresse', 'bestand_fehlt', [...address.l, address.s].filter(Boolean).join(' / '))
      if (stands) {
        addresses.add(key)
        // No stand has an area of 0: its area is computed from the outline instead.
        if (given['flaeche_ha'] === 0) delete given['flaeche_ha']
        const alter = given['alter']
        if (given['altersklasse'] === undefined && typeof alter === 'number')
          given['altersklasse'] = ageClassOf(alter)
      } else {
        // Nor has a species with a share: the column is not used.
        const share = given['anteil']
        if (given['flaeche_ha'] === 0 && typeof share === 'number' && share > 0) delete given['flaeche_ha']
        if (given['baumart'] === undefined) fault('baumart', 'baumart_fehlt')
      }
      return sound ? { nr: rawFeature.nr, werte: given, adresse: address, flaeche: outline } : null
    },
  }
}
