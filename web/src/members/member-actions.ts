// Actions on a row of a customer's people list, carried out by the page that shows the list.
import { createContext, useContext } from 'react'
import type { Membership } from './may-do.ts'

export type Act = 'rolle' | 'kataster' | 'app' | 'einladen' | 'entfernen'
export type MemberActions = (act: Act, person: Membership) => void

export const MemberActionsContext = createContext<MemberActions | null>(null)
export function useMemberActions(): MemberActions {
  const actions = useContext(MemberActionsContext)
  if (!actions) throw new Error('useMemberActions outside of a list of people')
  return actions
}
