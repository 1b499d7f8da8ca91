// One object of a file after the mapping of its columns: values as the database takes them, or what is wrong with them.
import { hasControlCharacter, parseBoolean, parseDate } from '../import-werte.ts'
import type { Umrechnung } from '../projektion.ts'
import { type Feld, felderOf, type Tabelle } from './felder.ts'
import { type Form, GeometrieFault, type GeometrieFehler, type Geometrie, inDeutschland, orteOf, umgerechnet } from './geometrie.ts'

export type FehlerArt =
  | GeometrieFehler
  | 'geometrie_punkt'
  | 'geometrie_linie'
  | 'ort_ausserhalb'
  | 'text_zu_lang'
  | 'steuerzeichen'
  | 'ja_nein_ungueltig'
  | 'zahl_ungueltig'
  | 'zahl_ausserhalb'
  | 'tag_ungueltig'
  | 'schluessel_doppelt'
  | 'schluessel_fehlt'

/** nr counts the objects of a layer from 1, as QGIS shows rows. */
export interface Fehler {
  readonly schicht: string
  readonly nr: number
  readonly feld: string
  readonly art: FehlerArt
  /** What stands there, shortened. */
  readonly wert: string
}

export type Werte = Record<string, string | number | boolean | null>
export interface Objekt {
  readonly nr: number
  readonly geometrie: Geometrie
  readonly werte: Werte
}

/** As a reader hands it over. */
export interface RohObjekt {
  readonly nr: number
  /** null: a table without any. */
  readonly geometrie: Form | GeometrieFault | null
  readonly werte: Readonly<Record<string, unknown>>
}

export interface Schicht {
  readonly name: string
  readonly tabelle: Tabelle
  /** Field → column. */
  readonly felder: Readonly<Record<string, string>>
}

export type Modus = 'ersetzen' | 'ergaenzen'

class WertFault extends Error {
  readonly art: FehlerArt
  constructor(art: FehlerArt) {
    super(art)
    this.art = art
  }
}

/** What stands there, shortened. */
export const shown = (value: unknown): string => {
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? (JSON.stringify(value) ?? '')
        : String(value as string | number | boolean)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Blanks at the ends are nothing; what says "nothing" in tables of others is nothing too. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'number' && Number.isNaN(value)) ||
  (typeof value === 'string' && /^\s*(?:null|<null>|n\/a|-)?\s*$/i.test(value))

function textOf(value: unknown, feld: Feld): string {
  if (typeof value === 'object' && !(value instanceof Date)) throw new WertFault('steuerzeichen')
  const raw = value instanceof Date ? value.toISOString().slice(0, 10) : String(value as string | number | boolean)
  const text =
    feld.name === 'bemerkung'
      ? raw
          .trim()
          .replaceAll(/[ \t]*\r?\n/g, ' · ')
          .replaceAll('\t', ' ')
      : raw.trim().replaceAll(/\s+/g, ' ')
  if (hasControlCharacter(text)) throw new WertFault('steuerzeichen')
  if (text.length > feld.laengste!) throw new WertFault('text_zu_lang')
  return text
}

const JA = /^(?:vermessen|eingemessen|surveyed|gemessen)$/i
const NEIN = /^(?:vermutet|nicht vermessen|unvermessen|angenommen|digitalisiert|assumed)$/i
function jaNeinOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'bigint') return jaNeinOf(Number(value))
  if (typeof value !== 'string' && typeof value !== 'number') throw new WertFault('ja_nein_ungueltig')
  const text = String(value).trim()
  if (JA.test(text)) return true
  if (NEIN.test(text)) return false
  const found = /^[tf]$/i.test(text) ? text.toLowerCase() === 't' : parseBoolean(text)
  if (found === null) throw new WertFault('ja_nein_ungueltig')
  return found
}

/** 1.234,5 and 1234.5; what a unit follows counts as the number. In data of machines 1.234 is one and a quarter, not a thousand. */
export function zahlOf(value: unknown, feld: Feld): number {
  let number: number
  if (typeof value === 'number') number = value
  else if (typeof value === 'bigint') number = Number(value)
  else {
    const text = String(value as string)
      .trim()
      .replace(/^dn\s*/i, '')
      .replace(/\s*(?:mm|cm|m|%|m ü\.? ?nhn?)$/i, '')
      .replace(/^[−–]/, '-')
    if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) number = Number(text.replaceAll('.', '').replace(',', '.'))
    else if (/^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text)) number = Number(text.replace(',', '.'))
    else throw new WertFault('zahl_ungueltig')
  }
  if (!Number.isFinite(number)) throw new WertFault('zahl_ungueltig')
  if (feld.art === 'ganz') {
    if (!Number.isInteger(number)) throw new WertFault('zahl_ungueltig')
  } else number = Number(number.toFixed(feld.stellen))
  if (number < (feld.mindestens ?? -Infinity) || number > (feld.hoechstens ?? Infinity)) throw new WertFault('zahl_ausserhalb')
  return number
}

function tagOf(value: unknown): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new WertFault('tag_ungueltig')
    return value.toISOString().slice(0, 10)
  }
  const text = String(value as string).trim()
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const found = parseDate(
    compact === null
      ? text.replaceAll('/', text.length > 4 && text[4] === '/' ? '-' : '.').replace(/[T ]\d{2}:\d{2}.*$/, '')
      : `${compact[1]}-${compact[2]}-${compact[3]}`,
  )
  if (found === null || found < '1700' || found > '2200') throw new WertFault('tag_ungueltig')
  return found
}

function wertOf(value: unknown, feld: Feld): string | number | boolean | null {
  if (isEmpty(value)) return null
  switch (feld.art) {
    case 'text': {
      const text = textOf(value, feld)
      return text === '' ? null : text
    }
    case 'ja_nein':
      return jaNeinOf(value)
    case 'ganz':
    case 'zahl':
      return zahlOf(value, feld)
    default:
      return tagOf(value)
  }
}

/** The values of one object by field, each from its column; what is wrong with one is told, and it is left out. */
export function leseWerte(
  felder: readonly Feld[],
  zuordnung: Readonly<Record<string, string>>,
  roh: Readonly<Record<string, unknown>>,
  tell: (feld: string, art: FehlerArt, wert: unknown) => void,
): Werte {
  const werte: Werte = {}
  for (const feld of felder) {
    const column = zuordnung[feld.name]
    if (column === undefined) continue
    try {
      const read = wertOf(roh[column], feld)
      if (read !== null) werte[feld.name] = read
    } catch (error) {
      if (!(error instanceof WertFault)) throw error
      tell(feld.name, error.art, roh[column])
    }
  }
  return werte
}

export interface Pruefer {
  /** The object, or null where it has faults; those were told. */
  pruefe(roh: RohObjekt): Objekt | null
}

/** Checks the objects of one layer one after the other. `keys` are those of the kind of object, over all layers that bring it. */
export function createPruefer(schicht: Schicht, um: Umrechnung, modus: Modus, keys: Set<string>, tell: (fehler: Fehler) => void): Pruefer {
  const felder = felderOf(schicht.tabelle).filter(({ name }) => schicht.felder[name] !== undefined)
  const fault = (nr: number, feld: string, art: FehlerArt, wert: unknown = ''): null => {
    tell({ schicht: schicht.name, nr, feld, art, wert: shown(wert) })
    return null
  }
  function placed({ nr, geometrie }: RohObjekt): Geometrie | null {
    if (geometrie === null) return fault(nr, 'geometrie', 'geometrie_leer')
    if (geometrie instanceof GeometrieFault) return fault(nr, 'geometrie', geometrie.code)
    if (geometrie.art === 'flaeche') return fault(nr, 'geometrie', 'geometrie_art')
    if ((schicht.tabelle === 'draenage') !== (geometrie.art === 'linie'))
      return fault(nr, 'geometrie', geometrie.art === 'linie' ? 'geometrie_punkt' : 'geometrie_linie')
    let there: Geometrie
    try {
      there = umgerechnet(geometrie, um)
    } catch {
      return fault(nr, 'geometrie', 'ort_ausserhalb', orteOf(geometrie)[0]?.join(' / '))
    }
    const outside = orteOf(there).findIndex((ort) => !inDeutschland(ort))
    return outside < 0 ? there : fault(nr, 'geometrie', 'ort_ausserhalb', orteOf(geometrie)[outside]?.join(' / '))
  }
  return {
    pruefe(roh) {
      const there = placed(roh)
      let sound = there !== null
      const werte = leseWerte(felder, schicht.felder, roh.werte, (feld, art, value) => {
        fault(roh.nr, feld, art, value)
        sound = false
      })
      if (
        there?.art === 'punkt' &&
        there.z !== null &&
        schicht.felder['hoehe'] === undefined &&
        there.z !== 0 &&
        there.z > -500 &&
        there.z < 9_000
      )
        werte['hoehe'] = Number(there.z.toFixed(3))
      const key = werte['schluessel']
      if (typeof key === 'string') {
        if (keys.has(key)) {
          fault(roh.nr, 'schluessel', 'schluessel_doppelt', key)
          sound = false
        }
        keys.add(key)
      } else if (modus === 'ergaenzen') {
        fault(roh.nr, 'schluessel', 'schluessel_fehlt')
        sound = false
      }
      return sound && there !== null ? { nr: roh.nr, geometrie: there, werte } : null
    },
  }
}
