// Writes the price list of subscriptions from the settings into the database, which needs it because prices
// must not come from a caller.
import type { AsOwner } from './as-owner.ts'

export interface AboPrices {
  /** Net price in euros, for one term. */
  readonly ABO_PREIS_FE: string
  readonly ABO_PREIS_BASIS_FE: string
  readonly ABO_PREIS_KAWM: string
  /** Months. */
  readonly ABO_LAUFZEIT: number
  /** Per cent. */
  readonly ABO_UST_SATZ: string
}

/** All servers of an installation have the same settings, so concurrent writers write the same. */
export function writeAboPrices(asOwner: AsOwner, priceList: AboPrices): Promise<void> {
  const rows = [
    ['fe', priceList.ABO_PREIS_FE],
    ['basis_fe', priceList.ABO_PREIS_BASIS_FE],
    ['kawm', priceList.ABO_PREIS_KAWM],
  ]
  return asOwner(async (owner) => {
    await owner.script('begin; set local role forst_betrieb')
    try {
      for (const [moduleName, price] of rows)
        await owner.query(
          `insert into app.abo_preis (modul, preis, laufzeit, ust_satz)
            values ($1, $2::numeric, $3::integer, $4::numeric)
           on conflict (modul) do update set preis = excluded.preis, laufzeit = excluded.laufzeit,
             ust_satz = excluded.ust_satz`,
          [moduleName, price, priceList.ABO_LAUFZEIT, priceList.ABO_UST_SATZ],
        )
      await owner.script('commit')
    } catch (error) {
      await owner.script('rollback')
      throw error
    }
  })
}
