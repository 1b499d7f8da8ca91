// Texts of the reconciliation: reasons for suggestions, oddities of a statement, states of an entry.
import type { BankUmsatzListRow } from '#contract/zahlung.ts'
import type { BankSource, CamtHint } from '#domain/camt/statement.ts'
import { formatEuro } from '#domain/geld.ts'
import type { ReconciliationReason } from '#domain/reconciliation/suggestion.ts'
import type { Tone } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'

/** Why an invoice is suggested, or what speaks against it. `received`: of a supplier. */
export function reasonText(reason: ReconciliationReason, received: boolean): string {
  switch (reason) {
    case 'nummer':
      return t('Rechnungsnummer im Verwendungszweck')
    case 'nummer_teil':
      return t('Rechnungsnummer in anderer Schreibweise')
    case 'betrag':
      return t('Betrag stimmt')
    case 'skonto':
      return t('Betrag abzüglich Skonto, rechtzeitig')
    case 'skonto_spaet':
      return t('Skonto abgezogen, aber zu spät')
    case 'mahnung':
      return t('Betrag mit den Mahnkosten')
    case 'summe':
      return t('Summe mehrerer Rechnungen')
    case 'iban':
      return received ? t('Konto des Lieferanten') : t('Konto hat schon für diesen Kunden gezahlt')
    case 'name':
      return received ? t('Name des Lieferanten') : t('Name des Kunden')
    case 'einzige':
      return t('einzige Rechnung mit diesem Betrag')
    case 'teil':
      return t('weniger als offen ist')
    case 'ueber':
      return t('mehr als offen ist')
    case 'mehrdeutig':
      return t('andere passen auch')
    case 'konkurrenz':
      return t('ein anderer Umsatz passt auch')
    case 'vor_rechnung':
      return t('vor dem Rechnungsdatum gezahlt')
    case 'bezahlt':
      return t('nennt eine Rechnung, die schon erledigt ist')
    case 'rueckzahlung':
      return received ? t('Betrag einer Gutschrift stimmt') : t('Rückzahlung des zu viel Gezahlten')
    case 'lauf':
      return t('Summe einer Überweisungsdatei')
    case 'rueckgabe':
      return t('Zahlung kommt zurück')
  }
}
const DOUBTS: ReadonlySet<ReconciliationReason> = new Set([
  'skonto_spaet',
  'teil',
  'ueber',
  'mehrdeutig',
  'konkurrenz',
  'vor_rechnung',
  'bezahlt',
  'rueckgabe',
])
export const isDoubt = (reason: ReconciliationReason): boolean => DOUBTS.has(reason)

export function sourceText(source: BankSource): string {
  switch (source) {
    case 'camt':
      return t('Kontoauszug im Format CAMT.053 (XML)')
    case 'mt940':
      return t('Kontoauszug im Format MT940')
    case 'csv':
      return t('Umsatzliste im Format CSV')
  }
}

export function hintText({ art, anzahl, betrag }: CamtHint): string {
  switch (art) {
    case 'saldo':
      return t(
        'Anfangssaldo und Umsätze ergeben nicht den Endsaldo; es fehlen {betrag}. Der Auszug ist vielleicht ' +
          'unvollständig.',
        {
          betrag: formatEuro(betrag),
        },
      )
    case 'sammler':
      return t(
        'Sammelbuchungen, deren Posten nicht die gebuchte Summe ergeben: {n}. Jeder Posten mit Betrag ist ein ' +
          'Umsatz; was übrig bleibt, steht mit den übrigen Texten daneben.',
        { n: anzahl },
      )
    case 'konto':
      return t('Die Bank nennt keine IBAN des Kontos.')
    case 'vorgemerkt':
      return t(
        'Vorgemerkt und noch nicht gebucht, deshalb ausgelassen: {n}. Sie kommen mit dem nächsten Auszug.',
        { n: anzahl },
      )
    case 'null':
      return t('Einträge ohne Betrag, ausgelassen: {n}', { n: anzahl })
    case 'zeilen':
      return t('Zeilen ohne Tag und Betrag, ausgelassen: {n}', { n: anzahl })
  }
}

type State = BankUmsatzListRow['stand']
export function stateText(stand: State): string {
  switch (stand) {
    case 'offen':
      return t('Offen')
    case 'teilweise':
      return t('Teilweise zugeordnet')
    case 'zugeordnet':
      return t('Zugeordnet')
    case 'abgelegt':
      return t('Gehört nicht hierher')
  }
}
export const STATE_TONES: Readonly<Record<State, Tone>> = {
  offen: 'warning',
  teilweise: 'info',
  zugeordnet: 'success',
  abgelegt: 'neutral',
}
