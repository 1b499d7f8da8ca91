// What every screen of the field mode is handed by its frame: the device's storage, the person and the holding whose pack is open.
import { createContext, useContext } from 'react'
import type { FeldDb, FeldPaket, Sub } from './feld-db.ts'

export interface FeldKontext {
  readonly db: FeldDb
  readonly sub: Sub
  /** Stands as recorder with what is captured. */
  readonly name: string
  /** Null: no pack has been saved on this device yet. */
  readonly paket: FeldPaket | null
}
export const FeldRahmen = createContext<FeldKontext | null>(null)

export function useFeld(): FeldKontext {
  const feld = useContext(FeldRahmen)
  if (feld === null) throw new Error('a screen of the field mode without its frame')
  return feld
}
