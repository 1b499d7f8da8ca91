// What can be done with a row of the list of a customer's people; the page that shows the list does it.
import { createContext, useContext } from 'react'
import type { Mitgliedschaft } from './may-do.ts'

export type Act = 'rolle' | 'kataster' | 'app' | 'einladen' | 'entfernen'
export type MitgliederActions = (act: Act, person: Mitgliedschaft) => void

export const MitgliederActionsContext = createContext<MitgliederActions | null>(null)
export function useMitgliederActions(): MitgliederActions {
  const actions = useContext(MitgliederActionsContext)
  if (!actions) throw new Error('useMitgliederActions outside of a list of people')
  return actions
}
