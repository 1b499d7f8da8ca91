// Texts for subscriptions: names, contents and prices of modules, states, and why a voucher code is invalid.
import type { AboModule, AboPrice, AboState, GutscheinReason, GutscheinCheck } from '#contract/abo.ts'
import { discountOf, nettoOf, ustOf } from '#domain/abo.ts'
import { add, formatEuro, parseHundredths } from '#domain/geld.ts'
import type { Tone } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const MODULE: readonly AboModule[] = ['fe', 'basis_fe', 'kawm']

export function moduleName(feature: AboModule): string {
  switch (feature) {
    case 'fe':
      return t('Forsteinrichtung (FE)')
    case 'basis_fe':
      return t('Basis-FE')
    case 'kawm':
      return t('KAWM')
  }
}
export function moduleContents(feature: AboModule): readonly string[] {
  switch (feature) {
    case 'fe':
      return [
        t('Alle Daten Ihrer Forsteinrichtung: Bestände, Baumarten, Flächen'),
        t('Karten und Auswertungen bis zum einzelnen Bestand'),
        t('Nutzung im Browser und in der App, für alle Personen Ihres Forstbetriebs'),
      ]
    case 'basis_fe':
      return [
        t('Übersicht Ihrer Bestände und Flächen'),
        t('Nutzung im Browser und in der App, für alle Personen Ihres Forstbetriebs'),
      ]
    case 'kawm':
      return [
        t('Nachweis der Habitatbäume für das Förderprogramm Klimaangepasstes Waldmanagement'),
        t('Zählung gegen die Vorgabe von mindestens 5 Bäumen je Hektar'),
        t('Fotos und Standorte aus der App'),
      ]
  }
}

export function stateText(state: AboState): string {
  switch (state) {
    case 'aktiv':
      return t('läuft')
    case 'gekuendigt':
      return t('gekündigt')
    case 'beendet':
      return t('beendet')
  }
}
export const STATE_TONES: Record<AboState, Tone> = {
  aktiv: 'success',
  gekuendigt: 'warning',
  beendet: 'neutral',
}

export function reasonText(reason: GutscheinReason): string {
  switch (reason) {
    case 'unbekannt':
      return t('Diesen Code gibt es nicht. Bitte prüfen Sie die Eingabe.')
    case 'abgelaufen':
      return t('Dieser Gutschein ist abgelaufen.')
    case 'eingeloest':
      return t('Dieser Gutschein wurde schon eingelöst.')
    case 'modul':
      return t('Dieser Gutschein gilt für ein anderes Modul. Er bleibt für dieses erhalten.')
    case 'zu_oft':
      return t('Zu viele Versuche. Bitte warten Sie zehn Minuten und prüfen Sie den Code noch einmal.')
  }
}

export const monthsText = (months: number): string =>
  months === 1 ? t('1 Monat') : t('{n} Monate', { n: formatNumber(months) })
export const euroText = (value: number | string): string => formatEuro(parseHundredths(value))

export interface Price {
  readonly listPrice: string
  /** Null without a voucher. */
  readonly rabatt: string | null
  readonly netto: string
  readonly ust: string
  readonly brutto: string
}
/** The price of one term as German amounts. The database computes it again when the term starts. */
export function priceOf(price: AboPrice, voucher: GutscheinCheck | null): Price {
  const rate = voucher?.gueltig ? (price.modul === 'kawm' ? voucher.rabatt_kawm : voucher.rabatt_abo) : 0
  const term = {
    preis: parseHundredths(price.preis),
    laufzeit: price.laufzeit,
    rabatt: parseHundredths(rate),
    discountMonths: voucher?.gueltig ? Math.min(voucher.laufzeit, price.laufzeit) : 0,
  }
  const netto = nettoOf(term)
  const ust = ustOf(netto, parseHundredths(price.ust_satz))
  return {
    listPrice: formatEuro(term.preis),
    rabatt: voucher?.gueltig ? formatEuro(discountOf(term)) : null,
    netto: formatEuro(netto),
    ust: formatEuro(ust),
    brutto: formatEuro(add(netto, ust)),
  }
}
