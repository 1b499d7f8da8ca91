// § 14 (4) Nr. 9 UStG with § 14b (1) sentence 5: who is no business must be told to keep the invoice for two years. Letter and e-invoice say it in the same words.
import type { Beleg } from './beleg.ts'

export const AUFBEWAHRUNG_PRIVAT =
  'Bitte bewahren Sie diese Rechnung zwei Jahre lang auf, gerechnet ab dem Ende dieses Jahres (§ 14b Abs. 1 Satz 5 UStG).'

/** Empty where nobody has to be told, or where the closing text tells it already. */
export const aufbewahrungshinweis = ({ art, empfaenger, zuerl }: Pick<Beleg, 'art' | 'empfaenger' | 'zuerl'>): string =>
  art === 'rechnung' && empfaenger.ist_privat && !/aufbewahr|aufzubewahr|bewahren Sie/i.test(zuerl) ? AUFBEWAHRUNG_PRIVAT : ''
