// A line as it stands in the editor: numbers as they are typed, so that nothing that was typed or pasted is lost; faults say what is wrong with them.
import type { PositionArt, SteuerKategorie } from '#domain/beleg.ts'
import { dezimal, type EingabeFault, formatDezimal, formatZahl, parseEingabe, sign } from '#domain/geld.ts'
import type { RechenPosition } from '#domain/rechnung.ts'
import { parseDay } from '../../../ui/parse-day.ts'

/** A line as procedures take and answer it. */
export interface PositionWerte {
  readonly id: number | null
  readonly art: PositionArt
  readonly bez: string
  readonly anzahl: string
  readonly einheit: string
  readonly ep: string
  readonly rabatt_prozent: string
  readonly ust_satz: string | null
  readonly kategorie: SteuerKategorie | null
  readonly steuergrund: string
  readonly erl_titel: string
  readonly erl: string
  readonly erl_on: boolean
  readonly le_date: string | null
  readonly le_date_bis: string | null
  readonly angebot_position_id: number | null
  readonly gewaehlt: boolean
}

/** All texts as typed. */
export interface Zeile {
  /** Of the screen alone: stays while a line moves. */
  readonly key: number
  readonly id: number | null
  readonly art: string
  readonly bez: string
  readonly anzahl: string
  readonly einheit: string
  readonly ep: string
  readonly rabatt_prozent: string
  /** Empty: the document's. */
  readonly ust_satz: string
  /** Empty: by the rate. */
  readonly kategorie: string
  readonly steuergrund: string
  readonly erl_titel: string
  readonly erl: string
  readonly erl_on: boolean
  readonly le_date: string
  readonly le_date_bis: string
  readonly angebot_position_id: number | null
  readonly gewaehlt: boolean
}
/** What can be typed into. */
export type Feld = Exclude<keyof Zeile, 'key' | 'id' | 'angebot_position_id' | 'erl_on' | 'gewaehlt'>

let last = 0
export const newKey = (): number => {
  last += 1
  return last
}

const EMPTY: Omit<Zeile, 'key'> = {
  id: null,
  art: 'position',
  bez: '',
  anzahl: '1',
  einheit: '',
  ep: '',
  rabatt_prozent: '',
  ust_satz: '',
  kategorie: '',
  steuergrund: '',
  erl_titel: '',
  erl: '',
  erl_on: true,
  le_date: '',
  le_date_bis: '',
  angebot_position_id: null,
  gewaehlt: false,
}
export const emptyZeile = (given: Partial<Zeile> = {}): Zeile => ({ ...EMPTY, ...given, key: newKey() })
const FIELDS = Object.keys(EMPTY) as (keyof typeof EMPTY)[]

/** Nothing was put into it: it is not saved. */
export const isBlankZeile = (zeile: Zeile): boolean => zeile.id === null && FIELDS.every((field) => zeile[field] === EMPTY[field])
/** Lines that are saved, in order. */
export const filledZeilen = (zeilen: readonly Zeile[]): Zeile[] => zeilen.filter((zeile) => !isBlankZeile(zeile))

export const ARTEN: readonly PositionArt[] = ['position', 'optional', 'alternativ', 'ueberschrift']
export const isArt = (text: string): text is PositionArt => (ARTEN as readonly string[]).includes(text)
const ART_NAMES: Readonly<Record<string, PositionArt>> = {
  position: 'position',
  pos: 'position',
  normal: 'position',
  optional: 'optional',
  option: 'optional',
  alternativ: 'alternativ',
  alternative: 'alternativ',
  überschrift: 'ueberschrift',
  ueberschrift: 'ueberschrift',
  titel: 'ueberschrift',
  heading: 'ueberschrift',
}
/** As somebody writes it; the text itself where it names none. */
export const parseArt = (text: string): string => (text.trim() === '' ? 'position' : (ART_NAMES[text.trim().toLowerCase()] ?? text.trim()))

interface Zahl {
  readonly stellen: number
  readonly vorkomma: number
  readonly negativ: boolean
  readonly mindestens: number
}
/** numeric(12,3), numeric(14,4) below 10^10, numeric(5,2). */
export const ZAHLEN = {
  anzahl: { stellen: 3, vorkomma: 9, negativ: true, mindestens: 0 },
  ep: { stellen: 4, vorkomma: 10, negativ: true, mindestens: 2 },
  rabatt_prozent: { stellen: 2, vorkomma: 3, negativ: false, mindestens: 0 },
  ust_satz: { stellen: 2, vorkomma: 2, negativ: false, mindestens: 0 },
} as const satisfies Readonly<Record<string, Zahl>>
export type ZahlFeld = keyof typeof ZAHLEN
export const isZahlFeld = (field: string): field is ZahlFeld => Object.hasOwn(ZAHLEN, field)

export const LAENGEN: Readonly<Partial<Record<Feld, number>>> = {
  bez: 500,
  einheit: 20,
  erl_titel: 200,
  erl: 5000,
  steuergrund: 200,
}

export type ZellFault = EingabeFault | 'prozent' | 'art' | 'tag' | 'tag_reihenfolge' | 'zu_lang'

function zahlFaultOf(field: ZahlFeld, text: string): ZellFault | null {
  if (text.trim() === '') return field === 'anzahl' ? 'fehlt' : null
  const value = parseEingabe(text, ZAHLEN[field])
  if (typeof value === 'string') return value
  return field === 'rabatt_prozent' && value.wert > 10_000n ? 'prozent' : null
}

/** What is wrong with a field of a line. Of a heading only its words count. */
export function zellFault(zeile: Zeile, field: Feld): ZellFault | null {
  const text = zeile[field]
  const most = LAENGEN[field]
  if (most !== undefined && [...text].length > most) return 'zu_lang'
  if (field === 'art') return isArt(text) ? null : 'art'
  if (zeile.art === 'ueberschrift') return null
  if (isZahlFeld(field)) return zahlFaultOf(field, text)
  if (field !== 'le_date' && field !== 'le_date_bis') return null
  if (text.trim() === '') return null
  const day = parseDay(text)
  if (day === null) return 'tag'
  const from = parseDay(zeile.le_date)
  return field === 'le_date_bis' && from !== null && day < from ? 'tag_reihenfolge' : null
}
export const FELDER: readonly Feld[] = [
  'art',
  'bez',
  'anzahl',
  'einheit',
  'ep',
  'rabatt_prozent',
  'ust_satz',
  'kategorie',
  'steuergrund',
  'erl_titel',
  'erl',
  'le_date',
  'le_date_bis',
]
const faultsByLine = new WeakMap<Zeile, Readonly<Partial<Record<Feld, ZellFault>>>>()
/** Kept with the line: lines never change, they are replaced. */
export function zeilenFaults(zeile: Zeile): Readonly<Partial<Record<Feld, ZellFault>>> {
  const known = faultsByLine.get(zeile)
  if (known) return known
  const found = Object.fromEntries(FELDER.flatMap((field) => (zellFault(zeile, field) ? [[field, zellFault(zeile, field)]] : [])))
  faultsByLine.set(zeile, found)
  return found
}
export const hasFaults = (zeilen: readonly Zeile[]): boolean =>
  zeilen.some((zeile) => !isBlankZeile(zeile) && Object.keys(zeilenFaults(zeile)).length > 0)

/** A number that is right is written as everywhere; anything else stays as it was typed. */
export function tidyCell(field: Feld, text: string): string {
  if (field === 'art') return parseArt(text)
  if (!isZahlFeld(field)) return field === 'erl' ? text : text.normalize('NFC').trim()
  const value = parseEingabe(text, ZAHLEN[field])
  if (typeof value === 'string') return text.trim()
  if (field === 'rabatt_prozent' && sign(value) === 0) return ''
  return formatZahl(value, { mindestens: ZAHLEN[field].mindestens })
}

/** Text of the wire; what is no number counts as nothing until it is put right. */
function wireZahl(field: ZahlFeld, text: string): string {
  const value = parseEingabe(text, ZAHLEN[field])
  return typeof value === 'string' ? '0' : formatDezimal(value)
}
const germanZahl = (field: ZahlFeld, text: string): string => formatZahl(dezimal(text), { mindestens: ZAHLEN[field].mindestens })
const germanDay = (day: string | null): string => (day === null ? '' : day.split('-').toReversed().join('.'))

const rechenByLine = new WeakMap<Zeile, RechenPosition>()
/** For the sums of domain/rechnung.ts. */
export function rechenPosition(zeile: Zeile): RechenPosition {
  const known = rechenByLine.get(zeile)
  if (known) return known
  const made: RechenPosition = {
    art: isArt(zeile.art) ? zeile.art : 'position',
    anzahl: wireZahl('anzahl', zeile.anzahl),
    ep: wireZahl('ep', zeile.ep),
    rabatt_prozent: zahlFaultOf('rabatt_prozent', zeile.rabatt_prozent) ? '0' : wireZahl('rabatt_prozent', zeile.rabatt_prozent),
    ust_satz: zeile.ust_satz.trim() === '' || zahlFaultOf('ust_satz', zeile.ust_satz) ? null : wireZahl('ust_satz', zeile.ust_satz),
    kategorie: zeile.kategorie === '' ? null : (zeile.kategorie as SteuerKategorie),
    steuergrund: zeile.steuergrund,
    gewaehlt: zeile.gewaehlt,
  }
  rechenByLine.set(zeile, made)
  return made
}

/** For saving; only lines without faults. */
export function positionWerte(zeile: Zeile): PositionWerte {
  const { anzahl, ep, rabatt_prozent, ust_satz, kategorie, art } = rechenPosition(zeile)
  return {
    id: zeile.id,
    art,
    bez: zeile.bez,
    anzahl: formatTo(anzahl, 3),
    einheit: zeile.einheit,
    ep: formatTo(ep, 4),
    rabatt_prozent: formatTo(rabatt_prozent, 2),
    ust_satz: ust_satz === null ? null : formatTo(ust_satz, 2),
    kategorie,
    steuergrund: zeile.steuergrund,
    erl_titel: zeile.erl_titel,
    erl: zeile.erl,
    erl_on: zeile.erl_on,
    le_date: parseDay(zeile.le_date),
    le_date_bis: parseDay(zeile.le_date_bis),
    angebot_position_id: zeile.angebot_position_id,
    gewaehlt: zeile.gewaehlt,
  }
}
const formatTo = (text: string, places: number): string => {
  const value = dezimal(text)
  return formatDezimal({ wert: value.wert * 10n ** BigInt(Math.max(0, places - value.stellen)), stellen: Math.max(places, value.stellen) })
}

export const zeileOf = (row: PositionWerte): Zeile =>
  emptyZeile({
    id: row.id,
    art: row.art,
    bez: row.bez,
    anzahl: germanZahl('anzahl', row.anzahl),
    einheit: row.einheit,
    ep: germanZahl('ep', row.ep),
    rabatt_prozent: tidyCell('rabatt_prozent', germanZahl('rabatt_prozent', row.rabatt_prozent)),
    ust_satz: row.ust_satz === null ? '' : germanZahl('ust_satz', row.ust_satz),
    kategorie: row.kategorie ?? '',
    steuergrund: row.steuergrund,
    erl_titel: row.erl_titel,
    erl: row.erl,
    erl_on: row.erl_on,
    le_date: germanDay(row.le_date),
    le_date_bis: germanDay(row.le_date_bis),
    angebot_position_id: row.angebot_position_id,
    gewaehlt: row.gewaehlt,
  })

const textByLine = new WeakMap<Zeile, string>()
function printZeile(zeile: Zeile): string {
  const known = textByLine.get(zeile)
  if (known !== undefined) return known
  const made = JSON.stringify(
    Object.fromEntries(FIELDS.filter((field) => zeile[field] !== EMPTY[field]).map((field) => [field, zeile[field]])),
  )
  textByLine.set(zeile, made)
  return made
}
/** What was printed last: it is read again with each change of the form, and the lines know their faults already. */
let lastText = '[]'
let lastZeilen: readonly Zeile[] = []
/** One text for all lines, as forms keep it: what differs from an empty line, line by line. */
export function printZeilen(zeilen: readonly Zeile[]): string {
  lastZeilen = filledZeilen(zeilen)
  lastText = `[${lastZeilen.map(printZeile).join(',')}]`
  return lastText
}
/** Reads it; a text that is none of ours is no lines at all. */
export function parseZeilen(text: string): readonly Zeile[] {
  if (text === lastText) return lastZeilen
  try {
    const rows: unknown = JSON.parse(text === '' ? '[]' : text)
    if (!Array.isArray(rows)) return []
    return rows.map((row: Record<string, unknown>) =>
      emptyZeile(
        Object.fromEntries(
          FIELDS.filter((field) => Object.hasOwn(row, field) && (EMPTY[field] === null || typeof row[field] === typeof EMPTY[field])).map(
            (field) => [field, row[field]],
          ),
        ) as Partial<Zeile>,
      ),
    )
  } catch {
    return []
  }
}
