// People as the provider's admins see them: the list of all people, complete personal data, and the account
// behind a person.
import type { PERSON_INPUTS } from '#domain/benutzer-fields.ts'
import type { BenutzerRow } from './benutzer.ts'

type Id = number | string

/** A person with its version. */
export type NutzerRecord = Omit<BenutzerRow, 'sortname' | 'suchtext'>

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
  pruefer_bis: string | null
  kataster_enabled: boolean
  app_status: 'aktiv' | 'gesperrt'
  enabled: boolean
  reg_date: string
  /** Linked to a customer or a headquarters. */
  verknuepft: boolean
  /** Null: never signed in. */
  erste_anmeldung: string | null
  angemeldet: boolean
  geaendert_am: string
  sortname: string
}

/** POST {general API}/konto: what an admin may know about an account at the embedded provider. */
export interface AccountInfo {
  /** Whether a password was ever set, that is, the invitation was accepted. */
  passwort: boolean
  zweiter_faktor: boolean
  letzte_anmeldung: string | null
  /** Expiry of the last unused invitation, even if it has passed. */
  einladung_bis: string | null
  /** Remaining seconds of the lock after failed attempts. */
  gesperrt_s: number
  /** Newest first. */
  ereignisse: { zeit: string; art: string; wer: string | null }[]
}

/** POST {general API}/einladung. */
export interface SentInvitation {
  /** Null for callers who may not see the link: then it was only sent by mail. */
  link: string | null
  expires: string
  /** The mail server accepted the mail. */
  mailed: boolean
  /**
   * The mail server has not accepted it yet and the mail is queued. If both are false, the link is handed
   * over manually.
   */
  wartet: boolean
}

/** POST {general API}/eigenes-konto: what people may know about their own account. */
export type OwnAccount = Pick<AccountInfo, 'passwort' | 'zweiter_faktor' | 'letzte_anmeldung' | 'ereignisse'>

export interface NutzerRpc {
  /** Refused with the rule changed_meanwhile if the person's record has a different version by now. */
  a_update_user: {
    takes: { user_id: Id; version: number } & Pick<BenutzerRow, (typeof PERSON_INPUTS)[number]>
    answers: null
  }
}
