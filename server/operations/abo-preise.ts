// The price list of subscriptions: the settings say it, the database needs it, because what a subscription costs must not come from a caller.
import type { AsOwner } from './as-owner.ts'

export interface AboPreise {
  /** Euros, net, for one term. */
  readonly ABO_PREIS_FE: string
  readonly ABO_PREIS_BASIS_FE: string
  readonly ABO_PREIS_KAWM: string
  /** Months. */
  readonly ABO_LAUFZEIT: number
  /** Per cent. */
  readonly ABO_UST_SATZ: string
}

/** Every server of an installation has the same settings, so whoever writes last writes the same. */
export function writeAboPreise(asOwner: AsOwner, preise: AboPreise): Promise<void> {
  const rows = [
    ['fe', preise.ABO_PREIS_FE],
    ['basis_fe', preise.ABO_PREIS_BASIS_FE],
    ['kawm', preise.ABO_PREIS_KAWM],
  ]
  return asOwner(async (owner) => {
    await owner.script('begin; set local role forst_betrieb')
    try {
      for (const [modul, preis] of rows)
        await owner.query(
          `insert into app.abo_preis (modul, preis, laufzeit, ust_satz) values ($1, $2::numeric, $3::integer, $4::numeric)
           on conflict (modul) do update set preis = excluded.preis, laufzeit = excluded.laufzeit, ust_satz = excluded.ust_satz`,
          [modul, preis, preise.ABO_LAUFZEIT, preise.ABO_UST_SATZ],
        )
      await owner.script('commit')
    } catch (error) {
      await owner.script('rollback')
      throw error
    }
  })
}
