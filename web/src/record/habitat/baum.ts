// A tree as forms have it, and as the server does.
import type { Habitatbaum, HabitatbaumWerte } from '#contract/habitat.ts'
import { strukturenOf, textOfStrukturen } from './strukturen-text.ts'

/** As forms have it: structures are one text, degrees have the seven places that are a centimetre. */
export type Baum = Omit<Habitatbaum, 'strukturen'> & { readonly strukturen: string }
const round7 = (value: number): number => Math.round(value * 1e7) / 1e7
const number = (value: number | null): number | null => (value === null ? null : Number(value))
export const baumOf = (row: Habitatbaum): Baum => ({
  ...row,
  strukturen: textOfStrukturen(row.strukturen),
  lon: round7(row.lon),
  lat: round7(row.lat),
  bhd_cm: number(row.bhd_cm),
  hoehe_m: number(row.hoehe_m),
  genauigkeit_m: number(row.genauigkeit_m),
})
export type BaumFeld = keyof HabitatbaumWerte
export type BaumWerte = Pick<Baum, BaumFeld>
export const rowOf = ({ strukturen, ...werte }: Partial<BaumWerte>): Partial<HabitatbaumWerte> => ({
  ...werte,
  ...(strukturen !== undefined && { strukturen: strukturenOf(strukturen) }),
})
