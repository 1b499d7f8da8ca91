// Texts for recurring invoices.
import type { SerieState } from '#contract/serie.ts'
import { decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import type { SerieChange } from '#domain/serie.ts'
import type { Place } from '#domain/supply-place.ts'
import type { HistoryWords } from '../../../record/history-lines.ts'
import type { Tone } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { placeText } from '../place-fields.ts'

export function rhythmText(months: number): string {
  switch (months) {
    case 1:
      return t('monatlich')
    case 3:
      return t('vierteljährlich')
    case 6:
      return t('halbjährlich')
    default:
      return t('jährlich')
  }
}

export const dueText = (day: string): string =>
  day === 'ende' ? t('am letzten Tag des Zeitraums') : t('am ersten Tag des Zeitraums')

export function serieStateText(state: SerieState): string {
  switch (state) {
    case 'aktiv':
      return t('aktiv')
    case 'pausiert':
      return t('pausiert')
    case 'beendet':
      return t('beendet')
  }
}
export const SERIE_TONES: Readonly<Record<SerieState, Tone>> = {
  aktiv: 'success',
  pausiert: 'warning',
  beendet: 'neutral',
}

/** "S 19.00, AE 0.00" in words. */
const taxWords = (taxes: string): string =>
  taxes
    .split(', ')
    .map((one) => {
      const [category = '', rate = '0'] = one.split(' ')
      switch (category) {
        case 'S':
          return `${formatGerman(decimal(rate))} %`
        case 'AE':
          return t('Steuer schuldet der Empfänger')
        case 'O':
          return t('nicht steuerbar')
        default:
          return t('steuerfrei')
      }
    })
    .join(', ')
const placeWords = (place: string): string =>
  place === '' ? t('wie beim Kunden') : placeText(place as Place)

/** What differs from the last run, as one sentence. */
export function changeText(change: SerieChange): string {
  switch (change.art) {
    case 'neu':
      return t('{bez}: neu, {betrag}', { bez: change.bez, betrag: formatEuro(change.betrag) })
    case 'weg':
      return t('{bez}: entfallen, {betrag}', { bez: change.bez, betrag: formatEuro(change.betrag) })
    case 'preis':
      return t('{bez}: Preis {vorher} → {jetzt}', {
        bez: change.bez,
        vorher: formatEuro(change.from),
        jetzt: formatEuro(change.to),
      })
    case 'menge':
      return t('{bez}: Menge {vorher} → {jetzt}', {
        bez: change.bez,
        vorher: formatGerman(decimal(change.from)),
        jetzt: formatGerman(decimal(change.to)),
      })
    case 'rabatt':
      return t('{bez}: Rabatt (mit Minus Zuschlag) {vorher} % → {jetzt} %', {
        bez: change.bez,
        vorher: formatGerman(decimal(change.from)),
        jetzt: formatGerman(decimal(change.to)),
      })
    case 'steuer':
      return t('Steuer: {vorher} → {jetzt}', {
        vorher: taxWords(change.from),
        jetzt: taxWords(change.to),
      })
    case 'ort':
      return t('Leistungsort: {vorher} → {jetzt}', {
        vorher: placeWords(change.from),
        jetzt: placeWords(change.to),
      })
  }
}

const LABELS: Readonly<Record<string, () => string>> = {
  titel: () => t('Bezeichnung'),
  monate: () => t('Rhythmus'),
  beginn: () => t('Erster Tag'),
  ende: () => t('Letzter Tag'),
  anzahl: () => t('Anzahl der Zeiträume'),
  faellig_am: () => t('Fällig'),
  zustand: () => t('Status'),
  positionen: () => t('Positionen'),
  kopf: () => t('Texte und Konditionen'),
  netto: () => t('Netto'),
  brutto: () => t('Brutto'),
  nr: () => t('Zeitraum Nr.'),
  von: () => t('von'),
  bis: () => t('bis'),
  art: () => t('Ergebnis'),
  grund: () => t('Grund'),
}

interface ShownLine {
  readonly bez?: unknown
  readonly anzahl?: unknown
  readonly einheit?: unknown
  readonly ep?: unknown
}
const lineText = ({ bez, anzahl, einheit, ep }: ShownLine): string =>
  t('{menge} {einheit} {bez} zu {preis}', {
    menge: formatGerman(decimal(String(anzahl ?? '0'))),
    einheit: String(einheit ?? ''),
    bez: String(bez ?? ''),
    preis: formatEuro(String(ep ?? '0')),
  })

function shown(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  switch (field) {
    case 'monate':
      return rhythmText(Number(value))
    case 'faellig_am':
      return dueText(String(value))
    case 'zustand':
      return serieStateText(value === 'pausiert' ? 'pausiert' : 'aktiv')
    case 'art':
      return value === 'ausgelassen' ? t('ausgelassen') : t('Entwurf angelegt')
    case 'beginn':
    case 'ende':
    case 'von':
    case 'bis':
      return formatDate(String(value))
    case 'netto':
    case 'brutto':
      return formatEuro(Number(value).toFixed(2))
    case 'positionen':
      return (value as ShownLine[]).map(lineText).join('; ')
    case 'kopf':
      return Object.values(value as Record<string, unknown>)
        .filter((one) => typeof one === 'string')
        .join('; ')
    default:
      return String(value)
  }
}

export const SERIE_HISTORY: HistoryWords = {
  order: Object.keys(LABELS),
  hidden: ['id', 'client_id', 'serie_id', 'rechnung_id', 'stand', 'angelegt_am'],
  label: (field) => LABELS[field]?.() ?? field,
  show: shown,
}
