// How much is measured. VOLL=1: also what takes minutes. KLEIN=1: everything at a fraction of its size, to see that the measures work; nothing is compared with what was asked then.
import { type Figure, atMost, shown } from '../figures.ts'

export const VOLL = process.env['VOLL'] === '1'
export const KLEIN = process.env['KLEIN'] === '1'

/** What was asked holds for the full size alone. */
export const atMostFull = (figure: string, limit: number, measured: number, unit: string): Figure =>
  KLEIN ? shown(`${figure} (KLEIN: not the size that was asked)`, measured, unit) : atMost(figure, limit, measured, unit)
