// Which invoice a Storno or a correction is about (§ 31 (5) UStDV); a part of beleg-check.ts.
import type { Beleg } from './beleg.ts'
import { type Findings, isBlank } from './beleg-fault.ts'
import { isDay } from './day.ts'

/** § 31 (5) UStDV: a correction names its invoice, and is not older than it. */
function checkCorrected({ bezug, datum }: Beleg, found: Findings): void {
  if (bezug === null || isBlank(bezug.nummer))
    found.fehler(
      'bezug',
      'bezug_fehlt',
      'In der Rechnungskorrektur fehlt, welche Rechnung sie berichtigt. Bitte über „Korrigieren“ anlegen.',
    )
  else if (!isDay(bezug.datum) || bezug.datum > datum)
    found.fehler(
      'datum',
      'korrektur_datum',
      'Die Korrektur ist älter als die Rechnung. Bitte ein späteres Datum eintragen.',
    )
}

export function checkReference(beleg: Beleg, found: Findings): void {
  if (beleg.art === 'korrektur') return checkCorrected(beleg, found)
  if (beleg.art !== 'storno') return
  if (beleg.bezug === null || isBlank(beleg.bezug.nummer))
    found.fehler(
      'bezug',
      'bezug_fehlt',
      'In der Stornorechnung fehlt, welche Rechnung sie aufhebt. Bitte über „Stornieren“ anlegen.',
    )
  else if (!isDay(beleg.bezug.datum) || beleg.bezug.datum > beleg.datum)
    found.fehler(
      'datum',
      'storno_vor_rechnung',
      'Die Stornorechnung ist älter als die Rechnung. Bitte ein späteres Datum eintragen.',
    )
}
