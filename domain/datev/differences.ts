// What the lines of a batch cannot say and the advance return does: hints by document, for people to book.
import { decimal, formatEuro } from '../geld.ts'
import type { DatevDifference, DatevFault } from './job.ts'

export function differenceFault({
  nummer,
  monat,
  kategorie,
  satz,
  declared,
  booked,
}: DatevDifference): DatevFault {
  const month = `${monat.slice(5, 7)}/${monat.slice(0, 4)}`
  const rate = `${kategorie} ${satz}`.trim()
  const [inReturn, inDatev] = [declared, booked].map((each) => formatEuro(decimal(each)))
  return {
    nummer,
    code: 'abweichung',
    severity: 'hinweis',
    text:
      kategorie === ''
        ? `${nummer}: Zum Monat ${month} gehören in der Voranmeldung ${inReturn}, in DATEV ${inDatev} brutto. ` +
          'Bitte mit der Steuerberatung von Hand angleichen.'
        : `${nummer}: Zum Monat ${month} gehören in der Voranmeldung ${inReturn}, in DATEV ${inDatev} brutto ` +
          `(${rate}). Bitte mit der Steuerberatung von Hand angleichen.`,
  }
}
