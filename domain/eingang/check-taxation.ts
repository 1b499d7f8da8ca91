// Whether the tax of a received invoice can be deducted, or is owed by us: what its seller and rates say.
import { categoriesOf, hasMixedKinds, inputTaxKind, isForeignSeller, strangeRates } from './input-tax.ts'
import { type FaultList, quoted } from './fault.ts'
import type { InvoiceGroup } from './invoice.ts'
import { isOwnSupply, type Recipient } from './recipient.ts'

/** @param self who receives it; null: not known */
export function checkTaxation(list: FaultList, invoice: InvoiceGroup, self: Recipient | null): void {
  if (isOwnSupply(invoice, self)) return
  const categories = categoriesOf(invoice)
  const rates = strangeRates(invoice)
  const isForeign = isForeignSeller(invoice)
  if (categories.has('S') && isForeign)
    list.fault(
      '§ 15 (1) Nr. 1',
      'BT-40',
      'Der Verkäufer sitzt im Ausland und nennt keine deutsche USt-IdNr. Ausgewiesen ist wohl ausländische ' +
        'Umsatzsteuer: Sie ist keine Vorsteuer. In der EU kann sie dort erstattet werden (Richtlinie 2008/9/EG).',
    )
  else if (rates.length > 0)
    list.fault(
      '§ 15 (1) Nr. 1',
      'BT-119',
      `Diesen Steuersatz gab es in Deutschland am Leistungsdatum nicht: ${quoted(rates.join(', '))} %. Was über ` +
        'der gesetzlichen Steuer ausgewiesen ist, ist keine Vorsteuer (§ 14c UStG). Bitte verlangen Sie eine ' +
        'berichtigte Rechnung.',
    )
  if (hasMixedKinds(invoice))
    list.fault(
      'arten_gemischt',
      'BG-23',
      'Auf der Rechnung stehen Umsätze mit Steuer neben solchen, für die Sie die Steuer schulden. Die Umsatzsteuer ' +
        'zählt hier nur eine Art je Rechnung: Bitte lassen Sie getrennte Rechnungen ausstellen, oder buchen Sie sie ' +
        'mit der Steuerberatung.',
    )
  const kind = inputTaxKind(invoice, self)
  if (!categories.has('AE') && (kind === 'eu_leistung' || kind === 'andere_leistung'))
    list.hint(
      '§ 13b UStG',
      'BT-40',
      'Der Verkäufer sitzt im Ausland und berechnet keine Steuer. Bei einer Dienstleistung schulden Sie sie ' +
        '(§ 13b UStG). Ist es Ware oder etwas anderes, ändern Sie das bitte unter „Angaben“.',
    )
}
