// What every screen of the field mode is handed by its frame: the device's storage, the person and the holding whose pack is open.
import { createContext, useContext } from 'react'
import type { FieldworkDb, FieldworkPacket, Sub } from './fieldwork-db.ts'

export interface FieldworkContext {
  readonly db: FieldworkDb
  readonly sub: Sub
  /** Stands as recorder with what is captured. */
  readonly name: string
  /** Null: no pack has been saved on this device yet. */
  readonly packet: FieldworkPacket | null
}
export const FieldworkFrame = createContext<FieldworkContext | null>(null)

export function useFieldwork(): FieldworkContext {
  const feld = useContext(FieldworkFrame)
  if (feld === null) throw new Error('a screen of the field mode without its frame')
  return feld
}
