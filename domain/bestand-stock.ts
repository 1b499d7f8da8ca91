// The growing stock in other people's plans: of the whole stand or of a hectare, standing (Vfm) or harvested (Efm).

/** "Vfm/ha", "Vorrat je ha", "VORRAT_HA". */
const PER_HECTARE = /(?:\/\s*|[^a-zäöüß])(?:ha|hektar)(?![a-zäöüß])|(?:fm|vorrat|je|pro)ha$/
const HARVESTED = /(?:^|[^a-zäöüß])(?:efm|erntefestmeter)|vorrat_?efm/

export interface StockHeading {
  readonly perHectare: boolean
  /** Less bark and what is lost in harvesting; no factor is right for every species. */
  readonly harvested: boolean
}
export function stockOfHeading(heading: string): StockHeading {
  const text = heading.toLowerCase().normalize('NFC')
  return { perHectare: PER_HECTARE.test(text), harvested: HARVESTED.test(text) }
}
