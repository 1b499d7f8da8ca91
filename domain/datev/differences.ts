// What the lines of a batch cannot say and the advance return does: hints by document, for people to book. What they
// have booked by an earlier hint is named again when that has changed.
import { decimal, formatEuro } from '../geld.ts'
import type { DatevDifference, DatevFault, DatevNote } from './job.ts'

const euro = (amount: string | null): string => formatEuro(decimal(amount ?? '0'))

function wordsOf({ nummer, monat, kategorie, satz, stand, ...amounts }: DatevDifference): string {
  const month = `${monat.slice(5, 7)}/${monat.slice(0, 4)}`
  const rate = `${kategorie} ${satz}`.trim()
  const [inReturn, inDatev] = [euro(amounts.declared), euro(amounts.booked)]
  const before = `${euro(amounts.before_declared)} / ${euro(amounts.before_booked)}`
  const now = `${inReturn} / ${inDatev}`
  if (stand === 'vorbei')
    return (
      `${nummer}: Der frühere Hinweis zum Monat ${month} (Voranmeldung ${inReturn}, DATEV ${inDatev} brutto) gilt ` +
      'nicht mehr. Bitte zurücknehmen, was dafür von Hand gebucht wurde.'
    )
  if (stand === 'anders')
    return (
      `${nummer}: Der frühere Hinweis zum Monat ${month} hat sich geändert. Voranmeldung / DATEV brutto: bisher ` +
      `${before}, jetzt ${now}. Bitte berichtigen, was dafür von Hand gebucht wurde.`
    )
  return kategorie === ''
    ? `${nummer}: Zum Monat ${month} gehören in der Voranmeldung ${inReturn}, in DATEV ${inDatev} brutto. ` +
        'Bitte mit der Steuerberatung von Hand angleichen.'
    : `${nummer}: Zum Monat ${month} gehören in der Voranmeldung ${inReturn}, in DATEV ${inDatev} brutto ` +
        `(${rate}). Bitte mit der Steuerberatung von Hand angleichen.`
}

/** Hints of a batch; what an earlier one names as well is booked already. */
export function differenceFaults(differences: readonly DatevDifference[], all = false): DatevFault[] {
  const faults = differences
    .filter(({ stand }) => all || stand !== 'genannt')
    .map((each): DatevFault => {
      const { nummer } = each
      return { nummer, code: 'abweichung', severity: 'hinweis', text: wordsOf(each) }
    })
  const known = differences.length - faults.length
  if (known > 0)
    faults.push({
      nummer: '',
      code: 'abweichung',
      severity: 'hinweis',
      text: `Abweichungen, die schon in einem früheren Stapel genannt sind und so gelten: ${known}.`,
    })
  return faults
}

/** More than the log takes: the others are named again with the next batch. */
const MOST_NOTES = 1000
/** What a batch names, for the log. */
export const notesOf = (differences: readonly DatevDifference[]): DatevNote[] =>
  differences
    .filter(({ stand }) => stand !== 'genannt')
    .slice(0, MOST_NOTES)
    .map(({ root, nummer, monat, kategorie, satz, declared, booked, stand }) => {
      const [now, inDatev] = stand === 'vorbei' ? ['0.00', '0.00'] : [declared, booked]
      return { root, nummer, monat: monat.slice(0, 10), kategorie, satz, declared: now, booked: inDatev }
    })
