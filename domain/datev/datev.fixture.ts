// A document as the database gives it to the batch, for tests.
import type { Beleg } from '../beleg.ts'
import type { DatevBeleg } from './job.ts'

/** Its groups are supplied when the document says; a Storno or a correction changes the tax of its own day. */
export function datevSample(beleg: Beleg): DatevBeleg['beleg'] {
  const le_date = beleg.le_date_bis ?? beleg.le_date ?? beleg.datum
  const datum = beleg.art === 'storno' || beleg.art === 'korrektur' ? beleg.datum : le_date
  return {
    ...beleg,
    summen: { steuern: beleg.summen.steuern.map((group) => ({ ...group, le_date, datum })) },
  }
}
