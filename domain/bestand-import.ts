// A management plan (Forsteinrichtung) of others: its two kinds of tables, their fields, which columns hold them, and what is wrong with a row.
import { type Adresse, adresseKey, altersklasseOf, EBENEN_STANDARD } from './bestand.ts'
import type { Umrechnung } from './projektion.ts'
import { type Feld, faltung, type Schichtart, zuordnung } from './vermessung/felder.ts'
import { type Flaeche, GeometrieFault, orteOf, umgerechnet } from './vermessung/geometrie.ts'
import { type FehlerArt, leseWerte, type RohObjekt, shown, type Werte } from './vermessung/pruefen.ts'

export const FE_TABELLEN = ['bestand', 'baumarten'] as const
export type FeTabelle = (typeof FE_TABELLEN)[number]
export const isFeTabelle = (text: unknown): text is FeTabelle => (FE_TABELLEN as readonly unknown[]).includes(text)

export type FeFehlerArt = FehlerArt | 'geometrie_keine_flaeche' | 'adresse_fehlt' | 'adresse_doppelt' | 'bestand_fehlt' | 'baumart_fehlt'
export interface FeFehler {
  readonly schicht: string
  readonly nr: number
  readonly feld: string
  readonly art: FeFehlerArt
  readonly wert: string
}

const EBENEN_SPALTEN = [
  ['slvl01', 'lvl1', 'level1', 'ebene1', 'forstamt', 'fa', 'foa', 'forstbetrieb', 'betrieb'],
  ['slvl02', 'lvl2', 'level2', 'ebene2', 'revier', 'rev', 'forstrevier', 'distrikt', 'distr', 'betriebsteil'],
  ['slvl03', 'lvl3', 'level3', 'ebene3', 'abteilung', 'abt', 'abtnr', 'jagen'],
  ['slvl04', 'lvl4', 'level4', 'ebene4', 'unterabteilung', 'uabt', 'unterabt', 'ua', 'uabteilung'],
  ['slvl05', 'lvl5', 'level5', 'ebene5', 'teilflaeche', 'tfl', 'teilfl'],
] as const
/** The names that this headquarters gives to its levels count before the usual ones. */
const adresseFelder = (ebenen: readonly string[]): Feld[] => {
  const own = ebenen.map(faltung)
  return [
    ...EBENEN_SPALTEN.map((spalten, at): Feld => {
      const others = own.filter((name, nr) => name !== '' && nr !== at)
      return {
        name: `sLVL0${at + 1}`,
        art: 'text',
        laengste: 60,
        spalten: [spalten[0], ...(own[at] ? [own[at]] : []), ...spalten.slice(1).filter((name) => !others.includes(name))],
      }
    }),
    {
      name: 'iSTAND',
      art: 'ganz',
      mindestens: 0,
      hoechstens: 1_000_000_000,
      spalten: ['istand', 'stand', 'bestandnr', 'bestandsnr', 'bestandsnummer', 'bestnr', 'bestand'],
    },
  ]
}
const ALTER: Feld = {
  name: 'alter',
  art: 'ganz',
  mindestens: 0,
  hoechstens: 1_000,
  spalten: ['alter', 'bestandesalter', 'alterjahre', 'age'],
}
const FLAECHE: Feld = {
  name: 'flaeche_ha',
  art: 'zahl',
  mindestens: 0,
  hoechstens: 999_999,
  stellen: 4,
  spalten: ['flaecheha', 'flaeche', 'flha', 'ha', 'hbflaeche', 'holzboden', 'areaha'],
}
const VORRAT: Feld = {
  name: 'vorrat',
  art: 'zahl',
  mindestens: 0,
  hoechstens: 99_999_999,
  stellen: 1,
  spalten: ['vorrat', 'vorratvfm', 'vorratges', 'vorratgesamt', 'vfm', 'vfmd'],
}
const BEMERKUNG: Feld = {
  name: 'bemerkung',
  art: 'text',
  laengste: 2_000,
  spalten: ['bemerkung', 'bemerkungen', 'bem', 'kommentar', 'text', 'anmerkung'],
}
/** The limits are those of db/migrations/0027_bestand.sql. */
export function feFelderOf(tabelle: FeTabelle, ebenen: readonly string[] = EBENEN_STANDARD): readonly Feld[] {
  return tabelle === 'bestand'
    ? [
        ...adresseFelder(ebenen),
        FLAECHE,
        { name: 'stichtag', art: 'tag', spalten: ['stichtag', 'festichtag', 'dtfe', 'datum'] },
        { name: 'nutzungsart', art: 'text', laengste: 100, spalten: ['nutzungsart', 'nutzart', 'betriebsart', 'na', 'nutzung'] },
        {
          name: 'bestandestyp',
          art: 'text',
          laengste: 100,
          spalten: ['bestandestyp', 'bestandstyp', 'bestandesform', 'bestockungstyp', 'wet', 'bestandeszieltyp', 'typ'],
        },
        ALTER,
        { name: 'altersklasse', art: 'ganz', mindestens: 1, hoechstens: 50, spalten: ['altersklasse', 'ak', 'akl'] },
        VORRAT,
        BEMERKUNG,
      ]
    : [
        ...adresseFelder(ebenen),
        { name: 'schicht', art: 'text', laengste: 60, spalten: ['schicht', 'bestandesschicht', 'layer'] },
        { name: 'baumart', art: 'text', laengste: 80, spalten: ['baumart', 'ba', 'bart', 'baumartname', 'art', 'species'] },
        {
          name: 'anteil',
          art: 'zahl',
          mindestens: 0,
          hoechstens: 100,
          stellen: 2,
          spalten: ['anteil', 'anteilproz', 'anteilprozent', 'mischungsanteil', 'proz', 'prozent'],
        },
        FLAECHE,
        ALTER,
        {
          name: 'ertragsklasse',
          art: 'text',
          laengste: 20,
          spalten: ['ertragsklasse', 'ekl', 'ek', 'bonitaet', 'bon', 'dgz100', 'lkl', 'leistungsklasse'],
        },
        VORRAT,
        BEMERKUNG,
      ]
}
/** By its name, else by what it holds: areas are stands, rows without a place are species. */
export function feTabelleOf(name: string, geometrie: Schichtart | null): FeTabelle | null {
  if (geometrie === 'punkt' || geometrie === 'linie') return null
  if (/baumart|bestockung|species/.test(faltung(name))) return 'baumarten'
  return geometrie === 'flaeche' ? 'bestand' : geometrie === 'ohne' ? 'baumarten' : null
}
export const feZuordnungOf = (tabelle: FeTabelle, spalten: readonly string[], ebenen: readonly string[]): Record<string, string> =>
  zuordnung(feFelderOf(tabelle, ebenen), spalten)

const ROMAN = /^(?=[IVXL])(?:X{0,3}|XL|L)(?:IX|IV|V?I{0,3})$/
const WORTH: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50 }
/** 'III' → 3; anything else stays. */
export function ausRoemisch(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().replace(/[.+]$/, '').toUpperCase() : ''
  if (!ROMAN.test(text)) return value
  return [...text].reduce((sum, sign, at) => {
    const [here, next] = [WORTH[sign]!, WORTH[text[at + 1] ?? ''] ?? 0]
    return sum + (here < next ? -here : here)
  }, 0)
}

export const adresseOf = (werte: Werte): Adresse => ({
  l: Array.from({ length: 5 }, (_, at) => (werte[`sLVL0${at + 1}`] as string | undefined) ?? null),
  s: (werte['iSTAND'] as number | undefined) ?? null,
})
export interface FeObjekt {
  readonly nr: number
  readonly werte: Werte
  readonly adresse: Adresse
  /** Of stands; longitude and latitude in ETRS89. */
  readonly flaeche: Flaeche | null
}
export interface FeSchicht {
  readonly name: string
  readonly tabelle: FeTabelle
  /** Field → column. */
  readonly felder: Readonly<Record<string, string>>
}

/** Germany with a good margin, in degrees. */
const inDeutschland = ([lon, lat]: readonly [number, number]): boolean => lon > 3 && lon < 18 && lat > 45 && lat < 57

/** Checks the rows of one layer. `adressen` holds those of all stands so far: stands come before species. `um` leads to degrees. */
export function createFePruefer(
  schicht: FeSchicht,
  { um, ebenen, adressen }: { readonly um: Umrechnung | null; readonly ebenen: readonly string[]; readonly adressen: Set<string> },
  tell: (fehler: FeFehler) => void,
) {
  const felder = feFelderOf(schicht.tabelle, ebenen)
  const stands = schicht.tabelle === 'bestand'
  function placed(roh: RohObjekt, fault: (feld: string, art: FeFehlerArt, wert?: unknown) => null): Flaeche | null {
    const { geometrie } = roh
    if (geometrie === null) return fault('geometrie', 'geometrie_leer')
    if (geometrie instanceof GeometrieFault) return fault('geometrie', geometrie.code)
    if (geometrie.art !== 'flaeche') return fault('geometrie', 'geometrie_keine_flaeche')
    if (um === null) return fault('geometrie', 'ort_ausserhalb')
    try {
      const there = umgerechnet(geometrie, um)
      const outside = orteOf(there).findIndex((ort) => !inDeutschland(ort))
      return outside < 0 ? there : fault('geometrie', 'ort_ausserhalb', orteOf(geometrie)[outside]?.join(' / '))
    } catch {
      return fault('geometrie', 'ort_ausserhalb', orteOf(geometrie)[0]?.join(' / '))
    }
  }
  return {
    /** null where it has faults; those were told. */
    pruefe(roh: RohObjekt): FeObjekt | null {
      let sound = true
      const fault = (feld: string, art: FeFehlerArt, wert: unknown = ''): null => {
        tell({ schicht: schicht.name, nr: roh.nr, feld, art, wert: shown(wert) })
        sound = false
        return null
      }
      const flaeche = stands ? placed(roh, fault) : null
      const klasse = schicht.felder['altersklasse']
      const values = klasse === undefined ? roh.werte : { ...roh.werte, [klasse]: ausRoemisch(roh.werte[klasse]) }
      const werte = leseWerte(felder, schicht.felder, values, fault)
      const adresse = adresseOf(werte)
      const key = adresseKey(adresse)
      if (adresse.s === null && adresse.l.every((one) => one === null)) fault('adresse', 'adresse_fehlt')
      else if (stands && adressen.has(key)) fault('adresse', 'adresse_doppelt', [...adresse.l, adresse.s].filter(Boolean).join(' / '))
      else if (!stands && !adressen.has(key)) fault('adresse', 'bestand_fehlt', [...adresse.l, adresse.s].filter(Boolean).join(' / '))
      if (stands) {
        adressen.add(key)
        // Nothing is as large as what is drawn: the area is taken from the outline then.
        if (werte['flaeche_ha'] === 0) delete werte['flaeche_ha']
        const alter = werte['alter']
        if (werte['altersklasse'] === undefined && typeof alter === 'number') werte['altersklasse'] = altersklasseOf(alter)
      } else if (werte['baumart'] === undefined) fault('baumart', 'baumart_fehlt')
      return sound ? { nr: roh.nr, werte, adresse, flaeche } : null
    },
  }
}
