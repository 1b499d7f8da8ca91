// Fields of a draft's form: what may be typed, and how it becomes what the database keeps. Amounts stay decimal texts all the way.
import type { Resolver } from 'react-hook-form'
import type { PositionEingabe } from '#contract/buchhaltung.ts'
import { dezimal, formatDezimal, formatZahl, parseEingabe, roundTo } from '#domain/geld.ts'
import type { RecordKind, RecordRow } from '../../record/record-kind.ts'
import { formatDate } from '../../ui/format.ts'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { hasFaults, parseZeilen, positionWerte, type PositionWerte, printZeilen, zeileOf } from './position/zeile.ts'
import { zahlFault } from './zahl-words.ts'

/** What a field holds in the database, and its bounds. */
export type FeldArt =
  | { readonly kind: 'zeile'; readonly longest: number; readonly leer?: null }
  | { readonly kind: 'text'; readonly longest: number }
  | { readonly kind: 'tag'; readonly pflicht?: true }
  | { readonly kind: 'zahl'; readonly stellen: number; readonly vorkomma: number; readonly most?: number; readonly pflicht?: true }
  | { readonly kind: 'ganz'; readonly most: number }
  | { readonly kind: 'wahl'; readonly werte: readonly string[] }
  | { readonly kind: 'skonto' }
  | { readonly kind: 'positionen' }

export interface FeldDef {
  readonly art: FeldArt
  readonly label: () => string
}
type Value = string | number | null
export type FeldTexte<F extends string> = Record<F, string>

/** Tiers as they stand in the form: days and per cent, typed. */
export type SkontoText = readonly (readonly [tage: string, prozent: string])[]
/** Empty: the customer's. */
export function parseSkontoText(text: string): SkontoText | null {
  return text === '' ? null : (JSON.parse(text) as SkontoText)
}
export const printSkontoText = (tiers: SkontoText | null): string => (tiers === null ? '' : JSON.stringify(tiers))
const PROZENT = { stellen: 2, vorkomma: 2 }
const filled = (tiers: SkontoText): SkontoText => tiers.filter(([tage, prozent]) => tage.trim() !== '' || prozent.trim() !== '')
export function skontoFault(text: string): string | null {
  const tiers = filled(parseSkontoText(text) ?? [])
  for (const [tage, prozent] of tiers) {
    if (!/^[1-9]\d{0,2}$/.test(tage.trim())) return t('Tage: eine ganze Zahl von 1 bis 999.')
    const value = parseEingabe(prozent, PROZENT)
    if (typeof value === 'string') return zahlFault(value, 2)
    if (value.wert === 0n) return t('Skonto: mehr als 0 und weniger als 100 %.')
  }
  return new Set(tiers.map(([tage]) => tage.trim())).size === tiers.length ? null : t('Zweimal dieselbe Zahl von Tagen.')
}
const skontoWire = (text: string): string | null => {
  const tiers = parseSkontoText(text)
  if (tiers === null) return null
  return JSON.stringify(
    filled(tiers)
      .map(([tage, prozent]) => {
        const value = parseEingabe(prozent, PROZENT)
        return { tage: Number(tage), prozent: typeof value === 'string' ? '0.00' : formatDezimal(roundTo(value, 2)) }
      })
      .toSorted((a, b) => a.tage - b.tage),
  )
}

/** The sentence for what is typed; null where it is right. */
export function feldFault(art: FeldArt, text: string): string | null {
  const typed = text.trim()
  switch (art.kind) {
    case 'zeile':
    case 'text':
      return [...typed].length > art.longest ? t('Höchstens {n} Zeichen.', { n: art.longest }) : null
    case 'tag':
      if (typed === '') return art.pflicht ? t('Diese Angabe fehlt.') : null
      return parseDay(typed) === null ? t('Bitte ein Datum wie 31.12.2026.') : null
    case 'zahl': {
      if (typed === '' && !art.pflicht) return null
      const value = parseEingabe(typed, art)
      if (typeof value === 'string') return zahlFault(value, art.stellen)
      return art.most !== undefined && value.wert > BigInt(art.most) * 10n ** BigInt(art.stellen)
        ? t('Höchstens {n}.', { n: String(art.most) })
        : null
    }
    case 'ganz':
      if (typed === '') return null
      return /^\d{1,4}$/.test(typed) && Number(typed) <= art.most ? null : t('Eine ganze Zahl von 0 bis {n}.', { n: art.most })
    case 'wahl':
      return typed === '' || art.werte.includes(typed) ? null : t('Bitte wählen Sie einen Eintrag der Liste.')
    case 'skonto':
      return skontoFault(text)
    case 'positionen':
      return hasFaults(parseZeilen(text)) ? t('In den Positionen sind Angaben zu prüfen.') : null
  }
}

export function feldWert(art: FeldArt, text: string): Value {
  const typed = text.normalize('NFC').trim()
  switch (art.kind) {
    case 'zeile':
      return typed === '' && art.leer === null ? null : typed
    case 'text':
      return text.normalize('NFC').replaceAll('\r\n', '\n')
    case 'tag':
      return parseDay(typed)
    case 'zahl': {
      const value = parseEingabe(typed === '' ? '0' : typed, art)
      return typeof value === 'string' ? '0.00' : formatDezimal(roundTo(value, art.stellen))
    }
    case 'ganz':
      return typed === '' ? null : Number(typed)
    case 'wahl':
      return typed === '' ? null : typed
    case 'skonto':
      return skontoWire(text)
    case 'positionen':
      return printWerte(parseZeilen(text).map(positionWerte))
  }
}
/** Lines as a row holds them: one text, so that two of them can be compared. */
export const printWerte = (rows: readonly PositionWerte[]): string => JSON.stringify(rows)
/** Lines of the database, written as the editor would write them. */
export const printPositionen = (rows: readonly PositionWerte[]): string => printWerte(rows.map((row) => positionWerte(zeileOf(row))))
export const parseWerte = (text: string): PositionWerte[] => JSON.parse(text) as PositionWerte[]

/** For saving: a new line has no number. */
export const eingabenOf = (text: string): PositionEingabe[] =>
  parseWerte(text).map(({ id, ...werte }) => (id === null ? werte : { id, ...werte }))

let lastWerte = ''
let lastZeilen = ''
export function feldText(art: FeldArt, value: Value): string {
  if (value === null) return ''
  switch (art.kind) {
    case 'tag':
      return formatDate(String(value))
    case 'zahl': {
      const number = dezimal(String(value))
      return number.wert === 0n && !art.pflicht ? '' : formatZahl(number)
    }
    case 'skonto':
      return printSkontoText(
        (JSON.parse(String(value)) as { tage: number; prozent: string }[]).map(({ tage, prozent }) => [
          String(tage),
          formatZahl(dezimal(prozent)),
        ]),
      )
    case 'positionen': {
      // Asked for with every key of the form, and as long as the document.
      if (value !== lastWerte) {
        lastZeilen = printZeilen(parseWerte(String(value)).map(zeileOf))
        lastWerte = String(value)
      }
      return lastZeilen
    }
    default:
      return String(value)
  }
}

/** What a value looks like beside another, in the window of a conflict. */
function shown(art: FeldArt, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (art.kind === 'positionen') {
    const rows = parseWerte(String(value))
    const names = rows
      .slice(0, 6)
      .map(
        ({ anzahl, einheit, bez, ep }) =>
          `${formatZahl(dezimal(anzahl))} ${einheit} ${bez} à ${formatZahl(dezimal(ep), { mindestens: 2 })}`,
      )
    return [rows.length === 1 ? t('1 Zeile') : t('{n} Zeilen', { n: rows.length }), ...names, ...(rows.length > 6 ? ['…'] : [])].join('\n')
  }
  if (art.kind === 'skonto')
    return (JSON.parse(String(value)) as { tage: number; prozent: string }[])
      .map(({ tage, prozent }) => t('{tage} Tage {prozent} %', { tage, prozent: formatZahl(dezimal(prozent)) }))
      .join(', ')
  return feldText(art, value as Value)
}

export function entwurfKind<F extends string, Row extends RecordRow<F>>(
  defs: Readonly<Record<F, FeldDef>>,
  { draftOf, changedBy }: Pick<RecordKind<F, Row, FeldTexte<F>>, 'changedBy'> & { draftOf: (row: Row) => string },
  more: (values: FeldTexte<F>) => Partial<Record<F, string>> = () => ({}),
): RecordKind<F, Row, FeldTexte<F>> {
  const fields = Object.keys(defs) as F[]
  const resolver: Resolver<FeldTexte<F>> = (values) => {
    const errors: Record<string, { type: string; message: string }> = {}
    for (const field of fields) {
      const message = feldFault(defs[field].art, values[field])
      if (message !== null) errors[field] = { type: 'feld', message }
    }
    for (const [field, message] of Object.entries(more(values) as Record<string, string>)) errors[field] ??= { type: 'feld', message }
    return Object.keys(errors).length > 0 ? ({ values: {}, errors } as never) : { values, errors: {} }
  }
  return {
    fields,
    resolver,
    draftOf,
    changedBy,
    toValues: (row) => Object.fromEntries(fields.map((field) => [field, feldText(defs[field].art, row[field] as Value)])) as FeldTexte<F>,
    toFields: (values) => Object.fromEntries(fields.map((field) => [field, feldWert(defs[field].art, values[field])])) as Pick<Row, F>,
    label: (field) => defs[field].label(),
    show: (field, value) => shown(defs[field].art, value),
    check: () => undefined,
  }
}
