// Context of every field mode screen: the device's storage, the person, and the open pack.
import type { Role } from '#domain/roles.ts'
import { createContext, useContext } from 'react'
import type { FieldworkDb, FieldworkPacket, Sub } from './fieldwork-db.ts'

export interface FieldworkContext {
  readonly db: FieldworkDb
  readonly sub: Sub
  /** Saved as the recorder of captures. */
  readonly name: string
  readonly roles: readonly Role[]
  /** Null if no pack was saved on this device yet. */
  readonly packet: FieldworkPacket | null
}
export const FieldworkFrame = createContext<FieldworkContext | null>(null)

export function useFieldwork(): FieldworkContext {
  const field = useContext(FieldworkFrame)
  if (field === null) throw new Error('a screen of the field mode without its frame')
  return field
}
