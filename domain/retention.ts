// § 14 (4) Nr. 9 UStG with § 14b (1) sentence 5: who is no business must be told to keep the invoice for two years. Letter and e-invoice say it in the same words.
import type { Beleg } from './beleg.ts'

/** Of documents that do not bear the words of the settings. */
export const PRIVATE_RETENTION =
  'Bitte bewahren Sie diese Rechnung zwei Jahre lang auf, gerechnet ab dem Ende dieses Jahres (§ 14b Abs. 1 Satz 5 UStG).'

type Told = Pick<Beleg, 'art' | 'empfaenger' | 'zuerl' | 'aufbewahrung'>

const saysIt = (text: string): boolean => /aufbewahr|aufzubewahr|bewahren Sie/i.test(text)

/** Empty where nobody has to be told, or where the closing text tells it already. */
export const retentionHint = ({ art, empfaenger, zuerl, aufbewahrung = PRIVATE_RETENTION }: Told): string =>
  art === 'rechnung' && empfaenger.ist_privat && !saysIt(zuerl) ? aufbewahrung.trim() : ''

/** A private person is not told: neither by the closing text nor by the settings. */
export const isRetentionUntold = (beleg: Told): boolean =>
  beleg.art === 'rechnung' &&
  beleg.empfaenger.ist_privat &&
  !saysIt(beleg.zuerl) &&
  retentionHint(beleg) === ''
