// § 14 (4) Nr. 9 UStG with § 14b (1) sentence 5: a customer that is not a business must be informed to keep
// the invoice for two years. Letter and e-invoice use the same words.
import { isInvoiceKind } from './abschlag.ts'
import type { Beleg } from './beleg.ts'

/** For documents without their own text from the settings. */
export const PRIVATE_RETENTION =
  'Bitte bewahren Sie diese Rechnung zwei Jahre lang auf, ' +
  'gerechnet ab dem Ende dieses Jahres (§ 14b Abs. 1 Satz 5 UStG).'

type Told = Pick<Beleg, 'art' | 'empfaenger' | 'zuerl' | 'aufbewahrung'>

/** A Storno or a correction is kept with its invoice. */
const isTold = ({ art, empfaenger, zuerl }: Told): boolean =>
  isInvoiceKind(art) && art !== 'storno' && art !== 'korrektur' && empfaenger.ist_privat && !saysIt(zuerl)

const saysIt = (text: string): boolean => /aufbewahr|aufzubewahr|bewahren Sie/i.test(text)

/** Empty if nobody has to be informed, or if the closing text already says it. */
export const retentionHint = (beleg: Told): string =>
  isTold(beleg) ? (beleg.aufbewahrung ?? PRIVATE_RETENTION).trim() : ''

/** A private customer is informed neither by the closing text nor by the settings. */
export const isRetentionUntold = (beleg: Told): boolean => isTold(beleg) && retentionHint(beleg) === ''
