// Lengths in other people's tables: "80 cm" in a cell, "Tiefe (cm)" or "bhd_mm" as a heading.

/** In metres. */
const METRES = { mm: 0.001, cm: 0.01, dm: 0.1, m: 1 } as const
export type LengthUnit = keyof typeof METRES
const isUnit = (text: string | undefined): text is LengthUnit => text !== undefined && text in METRES

/** Behind a bracket, a blank or another sign; "Stamm", "cm3" and where it is measured ("in 1,3 m") are none. */
const IN_HEADING = /^(.*[^a-zäöüß0-9])(?<!\d[\s_]*)(mm|cm|dm|m)(?![a-zäöüß0-9²³])/
const IN_CELL = /[\d.,]\s*(mm|cm|dm|m)(?: ü\.? ?nhn?)?$/i

/** Null: the heading says nothing. */
export function lengthUnitOf(heading: string): LengthUnit | null {
  const unit = IN_HEADING.exec(heading.toLowerCase().normalize('NFC'))?.[2]
  return isUnit(unit) ? unit : null
}
/** What is left of a heading without its unit. */
export const withoutUnit = (heading: string): string =>
  lengthUnitOf(heading) === null ? heading : heading.toLowerCase().normalize('NFC').replace(IN_HEADING, '$1')

export function lengthUnitOfCell(text: string): LengthUnit | null {
  const unit = IN_CELL.exec(text.trim())?.[1]?.toLowerCase()
  return isUnit(unit) ? unit : null
}

/** Without the noise of binary fractions. */
export const convertLength = (value: number, from: LengthUnit, to: LengthUnit): number =>
  from === to ? value : Number(((value * METRES[from]) / METRES[to]).toPrecision(12))
