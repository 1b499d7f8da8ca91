// The whole check of a draft before it is issued: what is wrong with any document (beleg-check.ts), and what only
// a draft can have. The server refuses the same at issue (books.beleg_faults); both are tested with
// beleg-check.cases.json.
import type { Beleg } from './beleg.ts'
import { belegFaults } from './beleg-check.ts'
import type { BelegFault } from './beleg-fault.ts'
import { germanDay, isDay } from './day.ts'

const UNFILLED = /\{(?:name|nummer|datum|faellig|betrag)\}/

export interface DraftDates {
  readonly today: string
  /** The day of the last one issued; null if there is none. */
  readonly earliest: string | null
}

/**
 * Adds three faults that only drafts have: a date before the last one issued, a placeholder nobody filled in,
 * which would be printed literally, and optional lines of an invoice.
 */
export function draftFaults(beleg: Beleg, { today, earliest }: DraftDates): BelegFault[] {
  const fault = (fieldName: string, code: string, text: string): BelegFault => ({
    feld: fieldName,
    code,
    text,
    severity: 'fehler',
  })
  const early =
    earliest !== null && isDay(beleg.datum) && beleg.datum < earliest
      ? [
          fault(
            'datum',
            'datum_vor_letzter',
            'Das Datum liegt vor dem zuletzt ausgestellten Beleg. ' +
              `Bitte frühestens den ${germanDay(earliest)} eintragen.`,
          ),
        ]
      : []
  const left = (['anrede', 'anschreiben', 'zuerl'] as const).flatMap((field) => {
    const found = UNFILLED.exec(beleg[field])?.[0]
    return found === undefined
      ? []
      : [fault(field, 'platzhalter_offen', `Der Platzhalter ${found} ist nicht ausgefüllt. Bitte ersetzen.`)]
  })
  const open = beleg.positionen.flatMap(({ art, nr }, at) =>
    beleg.art !== 'angebot' && (art === 'optional' || art === 'alternativ')
      ? [
          fault(
            `positionen.${at}.art`,
            'beleg_optional',
            `Position ${nr}: Eine Rechnung lässt nichts offen. Bitte die Art auf „Position“ ändern.`,
          ),
        ]
      : [],
  )
  return [...early, ...left, ...open, ...belegFaults(beleg, today)]
}
