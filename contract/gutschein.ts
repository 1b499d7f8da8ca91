export interface Gutschein {
  id: number
  /** Per cent, 0 to 100. */
  rabatt_abo: number
  rabatt_kawm: number
  /** Last day on which the code can be redeemed. */
  expire_date: string
  /** Months for which the discount applies. */
  laufzeit: number
  angelegt_am: string
  angelegt_von: string | null
  /** When the code was shown; it is shown only once. */
  code_ausgegeben_am: string | null
  eingeloest_am: string | null
  eingeloest_von: string | null
  eingeloest_hqid: number | null
}
export type NewGutschein = Pick<Gutschein, 'rabatt_abo' | 'rabatt_kawm' | 'expire_date' | 'laufzeit'>
