// People: benutzer and their links to customers and headquarters. The columns are declared in
// domain/benutzer-fields.ts; all writes go through procedures (contract/rpc.ts).

import type { BENUTZER_FIELDS } from '#domain/benutzer-fields.ts'
import type { RowOf } from '#domain/fields.ts'
import type { Role } from '#domain/roles.ts'

/** A row of app.benutzer. */
export type BenutzerRow = RowOf<typeof BENUTZER_FIELDS>
export type Benutzer = Omit<
  BenutzerRow,
  'version' | 'geaendert_am' | 'geaendert_von' | 'sortname' | 'suchtext'
>
export interface BenutzerKunde {
  user_id: number
  client_id: number
  rolle: 'admin' | 'kundenadmin' | 'nutzer'
  kataster_enabled: boolean
}
export interface BenutzerHq {
  user_id: number
  hqid: number
  client_id: number
  hq_status: string[]
}

/** First element of what __o_get_user_data returns. */
export interface UserData {
  user_id: number
  reg_date: string
  first_name: string | null
  last_name: string | null
  system_status: string
  email: string
  mail: string | null
  username: string
  db_role: string | null
  geb: string | null
  geschlecht: string | null
  apus_admin: boolean
  apus_team: boolean
  kataster_enabled: boolean
  app_status: string
  enabled: boolean
  /** Audits the books today. */
  pruefer: boolean
  kunden: { client_id: number; name: string; rolle: string }[]
}

/** a_get_currentsessionuser: the caller with everything the screens need to know about them. */
export interface SessionUser extends UserData {
  name: string
  mail_db: string | null
  roles: Role[]
  groups: string[]
  idhq: number | null
  hq_name: string | null
  hq_status: string[]
  hq_count: number
  dtFE: string | null
  dcFLAEHB: string | null
  issued_at: string | null
  expires_at: string | null
}
