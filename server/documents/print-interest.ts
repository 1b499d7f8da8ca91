// What a reminder says of default: interest with its calculation, lump sum, and the law for both.
import type { Beleg, BelegMahnung } from '#domain/beleg.ts'
import { decimal, formatGerman, sign } from '#domain/geld.ts'
import { surchargeOf } from '#domain/interest.ts'
import type { InterestTable, Paragraph, Sum } from './letter.ts'
import { amountText, minus, period, percentText, tag } from './notation.ts'

const isZero = (amount: string): boolean => sign(decimal(amount)) === 0
/** With both places, as the Bundesbank publishes it. */
const rate = (value: string): string => `${minus(formatGerman(decimal(value), { atLeast: 2 }))}\u00A0%`

export function interestSums({ verzug }: BelegMahnung): Sum[] {
  if (verzug === undefined) return []
  return [
    ...(isZero(verzug.zinsen)
      ? []
      : [
          {
            art: 'zeile',
            name: `Verzugszinsen bis ${tag(verzug.bis)}`,
            wert: amountText(verzug.zinsen),
          } as const,
        ]),
    ...(isZero(verzug.pauschale)
      ? []
      : [{ art: 'zeile', name: 'Verzugspauschale', wert: amountText(verzug.pauschale) } as const]),
  ]
}

export function interestTableOf({ mahnung }: Beleg): InterestTable | null {
  const verzug = mahnung?.verzug
  if (verzug === undefined || verzug.zeilen.length === 0) return null
  return {
    zeilen: verzug.zeilen.map((row) => ({
      zeitraum: period(row.von, row.bis),
      tage: String(row.tage),
      betrag: amountText(row.betrag),
      satz: `${rate(row.basiszins)} + ${percentText(surchargeOf(verzug.privat))} = ${rate(row.satz)}`,
      zinsen: amountText(row.zinsen),
    })),
    summe: amountText(verzug.zinsen),
  }
}

export function interestNotes({ mahnung }: Beleg): Paragraph[] {
  const verzug = mahnung?.verzug
  if (verzug === undefined) return []
  const points = verzug.privat ? 'fünf' : 'neun'
  return [
    ...(isZero(verzug.zinsen)
      ? []
      : [
          [
            `Verzugszinsen nach § 288 Abs. ${verzug.privat ? 1 : 2} BGB: ${points} Prozentpunkte über dem ` +
              'Basiszinssatz (§ 247 BGB), taggenau auf den offenen Betrag. Bis zur Zahlung laufen sie weiter.',
          ],
        ]),
    ...(isZero(verzug.pauschale)
      ? []
      : [['Verzugspauschale nach § 288 Abs. 5 BGB; sie wird auf Kosten der Rechtsverfolgung angerechnet.']]),
    ['Zinsen, Pauschale und Gebühren sind Schadensersatz und enthalten keine Umsatzsteuer.'],
  ]
}
