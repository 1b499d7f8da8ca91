// Customers and people as the lists of the drainage half show them.
import type { Benutzer } from './benutzer.ts'
import type { Kunde } from './kunde.ts'

/** A row of kunde_mitglieder. */
export interface KundeMembers extends Kunde {
  /** People who use the app for this customer. */
  nutzer: number
  /** Members of the provider's team who look after this customer. */
  team: number
}
/** A row of mitglied. */
export interface Member extends Omit<Benutzer, 'geb' | 'geschlecht'> {
  /** Number of customers that the person is linked to. */
  kunden: number
  version: number
  geaendert_am: string
  geaendert_von: string | null
  sortname: string
}

export interface MembersRpc {
  /** Which people of a customer the caller may administer: app access, invitation, sessions. */
  a_get_verwaltbar: {
    takes: { client_id: number | string }
    answers: { user_id: number; verwaltbar: boolean }[]
  }
}
