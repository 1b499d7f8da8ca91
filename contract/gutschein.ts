export interface Gutschein {
  id: number
  /** Per cent, 0 to 100. */
  rabatt_abo: number
  rabatt_kawm: number
  expire_date: string
  /** Months. */
  laufzeit: number
}
export type NewGutschein = Omit<Gutschein, 'id'>
