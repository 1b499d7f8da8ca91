// Where an address is for VAT. Some parts of the states of the EU are outside of its VAT (Article 6 of Directive
// 2006/112/EC; UStAE 1.10 (1)), of Germany Büsingen and Helgoland (§ 1 (2) UStG). Their postcodes show it. SQL has
// the same rule (books.tax_area); both are tested with tax-area.cases.json.
import { isEuCountry } from './countries.ts'

/** Germany, another state of the EU, or neither: § 1 (2), (2a) UStG. */
export type TaxArea = 'inland' | 'eu' | 'drittland'

export interface Address {
  /** ISO 3166-1 alpha-2; empty: Germany, as documents of before have it. */
  readonly land: string
  readonly plz: string
}

interface Territory {
  readonly land: string
  /** Of a postcode without blanks. */
  readonly plz: RegExp
  readonly name: string
}
/** Those with a country code of their own (Åland as AX, Réunion as RE) are not in the EU by it. */
const TERRITORIES: readonly Territory[] = [
  { land: 'DE', plz: /^78266$/, name: 'Büsingen' },
  { land: 'DE', plz: /^27498$/, name: 'Helgoland' },
  { land: 'DK', plz: /^39/, name: 'Grönland' },
  { land: 'ES', plz: /^3[58]/, name: 'Kanarische Inseln' },
  { land: 'ES', plz: /^51/, name: 'Ceuta' },
  { land: 'ES', plz: /^52/, name: 'Melilla' },
  { land: 'FI', plz: /^22/, name: 'Åland' },
  { land: 'FR', plz: /^9(?:7|8[4-8])/, name: 'französische Überseegebiete' },
  { land: 'GR', plz: /^6308[67]$/, name: 'Berg Athos' },
  { land: 'IT', plz: /^22061$/, name: 'Campione d’Italia' },
  { land: 'IT', plz: /^23041$/, name: 'Livigno' },
]

/** The name of a part of an EU state that is outside of its VAT; null for any other address. */
export function territoryOf({ land, plz }: Address): string | null {
  const code = plz.replaceAll(/\s/g, '')
  return TERRITORIES.find((one) => one.land === (land || 'DE') && one.plz.test(code))?.name ?? null
}

export function taxArea(address: Address): TaxArea {
  if (territoryOf(address) !== null) return 'drittland'
  if (address.land === 'DE' || address.land === '') return 'inland'
  return isEuCountry(address.land) ? 'eu' : 'drittland'
}
