// Figures of the overview that are reckoned from others.
import { dezimal, type Dezimal, divideRounded, formatZahl } from '#domain/geld.ts'
import { type CashflowZeile, SCHRITTE, type Schritt } from '#domain/cashflow.ts'
import { addDays, addMonths, monthOf } from '#domain/tag.ts'

/** Parts of a whole in tenths of a per cent, with sign; null of nothing. */
export function prozent(teil: string, ganzes: string): Dezimal | null {
  const [part, whole] = [dezimal(teil), dezimal(ganzes)]
  if (whole.wert === 0n) return null
  const places = 10n ** BigInt(whole.stellen + 3)
  const side = whole.wert < 0n ? -1n : 1n
  return { wert: divideRounded(part.wert * places * side, whole.wert * side * 10n ** BigInt(part.stellen)), stellen: 1 }
}
export const prozentText = (value: Dezimal): string => `${formatZahl(value, { mindestens: 1, hoechstens: 1 })}\u00A0%`

/** How much more or less than before; null where there was nothing before. */
export function veraenderung(jetzt: string, davor: string): Dezimal | null {
  const of = prozent(jetzt, davor)
  return of === null || dezimal(davor).wert < 0n ? null : { wert: of.wert - 1000n, stellen: 1 }
}
export const veraenderungText = (value: Dezimal): string => `${value.wert > 0n ? '+' : ''}${prozentText(value)}`

/** For the picture alone. */
export const gezeichnet = (betrag: string): number => Number(betrag)
export const aufwaerts = (betrag: string): number => Math.max(0, Number(betrag))

export const MONATE = [3, 6, 12] as const
export type Monate = (typeof MONATE)[number]
export const parseMonate = (text: string | undefined): Monate => MONATE.find((months) => String(months) === text) ?? 6
export const parseSchritt = (text: string | undefined): Schritt => SCHRITTE.find((schritt) => schritt === text) ?? 'monat'
export const parseJahr = (text: string | undefined): number | null => (/^2[01]\d\d$/.test(text ?? '') ? Number(text) : null)

/** From today to the end of so many months, this one included. */
export const ausblickBis = (heute: string, monate: Monate): string => addDays(addMonths(`${monthOf(heute)}-01`, monate), -1)

/** The part at whose end least is in the bank; the first of several. */
export const tiefster = (zeilen: readonly CashflowZeile[]): CashflowZeile | undefined =>
  zeilen.reduce<CashflowZeile | undefined>(
    (low, row) => (low === undefined || dezimal(row.stand).wert < dezimal(low.stand).wert ? row : low),
    undefined,
  )
