// People as the provider's admins see them: the list of everybody, personal data as a whole, and the account behind a person.
import type { Benutzer } from './benutzer.ts'

type Id = number | string

/** A row of benutzer with what tells one version from the next. */
export interface NutzerRecord extends Benutzer {
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

/** A row of nutzer_liste. */
export interface NutzerListRow {
  user_id: number
  username: string
  email: string
  mail: string | null
  first_name: string | null
  last_name: string | null
  system_status: string
  apus_admin: boolean
  apus_team: boolean
  kataster_enabled: boolean
  app_status: 'aktiv' | 'gesperrt'
  enabled: boolean
  reg_date: string
  /** Linked to a customer or a headquarters. */
  verknuepft: boolean
  /** Null: has never signed in. */
  erste_anmeldung: string | null
  angemeldet: boolean
  geaendert_am: string
  sortname: string
}

/** POST {general API}/konto: what an admin may know of somebody's account at the embedded provider. */
export interface AccountInfo {
  /** Whether a password was ever set: the invitation was accepted. */
  passwort: boolean
  zweiter_faktor: boolean
  letzte_anmeldung: string | null
  /** End of the last invitation that was not used, also when it has passed. */
  einladung_bis: string | null
  /** Seconds that the lock after failed tries still lasts. */
  gesperrt_s: number
  /** Newest first. */
  ereignisse: { zeit: string; art: string; wer: string | null }[]
}

/** POST {general API}/einladung. */
export interface SentInvitation {
  /** Null for those who may not be shown a link: then it went out by mail alone. */
  link: string | null
  expires: string
  /** The mail server took the mail. */
  mailed: boolean
  /** It did not yet, and the mail waits for it. Neither: the link is handed over by hand. */
  wartet: boolean
}

/** POST {general API}/eigenes-konto: what people may know of their own account. */
export type OwnAccount = Pick<AccountInfo, 'passwort' | 'zweiter_faktor' | 'letzte_anmeldung' | 'ereignisse'>

export interface NutzerRpc {
  /** Refused with the rule changed_meanwhile when the person's record has another version by now. */
  a_update_user: {
    takes: {
      user_id: Id
      first_name: string | null
      last_name: string | null
      mail: string | null
      geb: string | null
      geschlecht: string | null
      version: number
    }
    answers: null
  }
}
