// Converts trees between the shape of forms and that of the server.
import type { Habitatbaum, HabitatbaumValues } from '#contract/habitat.ts'
import type { TreeField } from '#domain/habitatbaum-fields.ts'
import { structuresOf, textOfStructures } from './structures-text.ts'

/**
 * In the shape of forms: structures are one string, degrees have seven decimals, which is about a centimetre.
 */
export type Tree = Omit<Habitatbaum, 'strukturen'> & { readonly strukturen: string }
const round7 = (value: number): number => Math.round(value * 1e7) / 1e7
const number = (value: number | null): number | null => (value === null ? null : Number(value))
export const treeOf = (row: Habitatbaum): Tree => ({
  ...row,
  strukturen: textOfStructures(row.strukturen),
  lon: round7(row.lon),
  lat: round7(row.lat),
  bhd_cm: number(row.bhd_cm),
  hoehe_m: number(row.hoehe_m),
  genauigkeit_m: number(row.genauigkeit_m),
  // As the device writes it.
  lage_zeit: row.lage_zeit ? new Date(row.lage_zeit).toISOString() : null,
  // Trees that a device has kept from before do not have them.
  lage_fix: row.lage_fix ?? null,
  genauigkeit_geschaetzt: row.genauigkeit_geschaetzt ?? false,
})
export type TreeValues = Pick<Tree, TreeField>
export const rowOf = ({ strukturen, ...values }: Partial<TreeValues>): Partial<HabitatbaumValues> => ({
  ...values,
  ...(strukturen !== undefined && { strukturen: structuresOf(strukturen) }),
})
