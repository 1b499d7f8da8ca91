// Every remote procedure by name: what it takes and what it returns. Names and payload fields are given by
// the specification and must not change.

import type { AbkuerzungRpc } from './abkuerzung.ts'
import type { AboRpc } from './abo.ts'
import type { AnlageRpc } from './anlage.ts'
import type { ViewRpc } from './view.ts'
import type { Benutzer, SessionUser, UserData } from './benutzer.ts'
import type { BestandRpc } from './bestand.ts'
import type { BorderRpc } from './border.ts'
import type { BuchhaltungRpc } from './buchhaltung.ts'
import type { PrivacyRpc } from './privacy.ts'
import type { DeskRpc } from './desk.ts'
import type { DocumentRpc } from './document.ts'
import type { EingangRpc } from './eingang.ts'
import type { SettingRpc } from './setting.ts'
import type { ForstbetriebRpc } from './forstbetrieb.ts'
import type { HabitatRpc } from './habitat.ts'
import type { KawmRpc } from './kawm.ts'
import type { HqField, SwitchField } from '#domain/hq-fields.ts'
import type { Hq, HqRecord, KundeHq } from './hq.ts'
import type { ImportRpc } from './import.ts'
import type { MembersRpc } from './members.ts'
import type { NutzerRpc } from './nutzer.ts'
import type { PlacesRpc } from './places.ts'
import type { PrognoseRpc } from './prognose.ts'
import type { SearchRpc } from './search.ts'
import type { SepaRpc } from './sepa.ts'
import type { SerieRpc } from './serie.ts'
import type { SummaryRpc } from './summary.ts'
import type { KarteRpc } from './karte.ts'
import type { KarteFilesRpc } from './karte-files.ts'
import type { KarteMosaicRpc } from './karte-mosaic.ts'
import type { NoteRpc } from './note.ts'
import type { NoticeRpc } from './notice.ts'
import type { OverviewRpc } from './overview.ts'
import type { VermessungRpc } from './vermessung.ts'
import type { TemplateRpc } from './template.ts'
import type { UstRpc } from './ust.ts'
import type { WebhookRpc } from './webhook.ts'
import type { ZugangRpc } from './zugang.ts'
import type { ZahlungRpc } from './zahlung.ts'

/** Ids travel as text or number. */
type Id = number | string

export interface AppUserOfClient extends Omit<Benutzer, 'geb' | 'geschlecht' | 'reg_date' | 'pruefer_bis'> {
  rolle: 'admin' | 'kundenadmin' | 'nutzer'
}
export interface TeamOfClient {
  user_id: number
  email: string
  mail: string | null
  first_name: string | null
  last_name: string | null
  username: string
  apus_team: boolean
  apus_admin: boolean
  enabled: boolean
}
export interface UserOfHq {
  user_id: number
  email: string
  mail: string | null
  first_name: string | null
  last_name: string | null
  username: string
  system_status: string
  hq_status: string[]
  app_status: string
  enabled: boolean
}
export interface HqDetails extends Pick<Hq, 'idHQ' | 'client_id' | HqField>, Pick<KundeHq, SwitchField> {
  /** Name of the customer; null if the caller may not read it. */
  kunde: string | null
  /** Null if no area has been drawn. */
  epsg: number | null
  flaeche_ha: number | null
  nutzer: number
}
export interface HqBbox {
  idHQ: number
  sHQ: string
  epsg: number
  xmin: number
  ymin: number
  xmax: number
  ymax: number
  west: number
  south: number
  east: number
  north: number
}
export interface AddedUser {
  user_id: number
  username: string
  email: string
  db_role: string
  system_status: string
}

/** `null` in `answers`: the procedure returns nothing (204). */
export interface Rpc
  extends PrivacyRpc,
    DocumentRpc,
    EingangRpc,
    AbkuerzungRpc,
    AnlageRpc,
    ViewRpc,
    BestandRpc,
    BorderRpc,
    BuchhaltungRpc,
    AboRpc,
    ForstbetriebRpc,
    HabitatRpc,
    KawmRpc,
    ImportRpc,
    MembersRpc,
    SettingRpc,
    NutzerRpc,
    KarteRpc,
    KarteFilesRpc,
    KarteMosaicRpc,
    VermessungRpc,
    PrognoseRpc,
    TemplateRpc,
    UstRpc,
    ZahlungRpc,
    ZugangRpc,
    WebhookRpc,
    SearchRpc,
    DeskRpc,
    PlacesRpc,
    SepaRpc,
    SerieRpc,
    SummaryRpc,
    OverviewRpc,
    NoteRpc,
    NoticeRpc {
  // customers and people
  a_get_appusers_from_client: { takes: { client_id: Id }; answers: AppUserOfClient[] }
  a_get_apus_team_from_client: { takes: { client_id: Id }; answers: TeamOfClient[] }
  /** client_id carries the headquarters' id here. */
  __o_get_users_from_hq: { takes: { client_id: Id }; answers: UserOfHq[] }
  a_set_projektordner: { takes: { client_id: Id; ordner: string | null }; answers: null }
  a_set_kataster_for_client: { takes: { client_id: Id; kataster_status: boolean }; answers: null }
  /**
   * `rolle`: of a new link, or the new role of an existing one. Default: 'nutzer', or 'kundenadmin' if the
   * forest half's admin calls it.
   */
  a_add_user_to_client: {
    takes: { user_id: Id; client_id: Id; kataster_enabled: boolean; rolle?: AppUserOfClient['rolle'] }
    answers: null
  }
  a_remove_user_from_client: { takes: { user_id: Id; client_id: Id }; answers: null }
  a_set_kunde_rolle: {
    takes: { user_id: Id; client_id: Id; rolle: 'admin' | 'kundenadmin' | 'nutzer' }
    answers: null
  }
  a_add_user: {
    takes: {
      mail: string
      first_name: string | null
      last_name: string | null
      kataster_enabled: boolean
      apus_team: boolean
      apus_admin: boolean
      client_id: Id | null
      rolle?: AppUserOfClient['rolle']
    }
    answers: AddedUser
  }
  a_get_user_exists: { takes: { db_role: string }; answers: boolean }
  __o_get_user_data: { takes: { email: string; id: string }; answers: UserData[] }
  __o_change_app_status: {
    takes: { user_id: Id; username: string; status: 'aktiv' | 'gesperrt' }
    answers: null
  }
  /** Takes the code mailed to a new contact address; false: the code is no longer valid. */
  __o_confirm_mail: { takes: { code: string }; answers: boolean }
  /**
   * Where mails to the caller go, whether that is the contact address, and which address still waits for its
   * link to be followed; gefragt_am is null until that mail has been sent.
   */
  a_get_kontakt: {
    takes: Record<string, never>
    answers: { mail_an: string; bestaetigt: boolean; offen: string | null; gefragt_am: string | null }[]
  }
  /** Sends the link again; false: three were sent within an hour, so it goes out when that hour is over. */
  a_send_kontakt_link: { takes: Record<string, never>; answers: boolean }
  __o_update_user: { takes: { first_name: string; last_name: string; mail: string | null }; answers: null }
  __o_connect_user_to_hq: { takes: { username: string; user_id: Id; hqid: Id }; answers: null }
  __o_disconnect_user_from_hq: { takes: { username: string; user_id: Id; hqid: Id }; answers: null }
  a_set_hq_status: { takes: { user_id: Id; hqid: Id; hq_status: string[] }; answers: null }
  a_set_user_enabled: { takes: { user_id: Id; enabled: boolean }; answers: null }
  a_set_system_status: { takes: { user_id: Id; system_status: string }; answers: null }
  a_set_user_flags: {
    takes: { user_id: Id; apus_team: boolean | null; apus_admin: boolean | null }
    answers: null
  }
  /** Until and including `bis`, null: no longer. Refused with pruefer_allein for people who hold any other role. */
  a_set_pruefer: { takes: { user_id: Id; bis: string | null }; answers: null }
  a_get_currentuser: { takes: Record<string, never>; answers: Benutzer[] }
  a_get_currentsessionuser: { takes: Record<string, never>; answers: SessionUser | null }
  // headquarters
  __o_get_hqs_from_user: { takes: { user_id: Id }; answers: HqRecord[] }
  __o_get_hq_details: { takes: { hq_id: Id }; answers: HqDetails[] }
  __o_get_bbox_from_hq: { takes: Record<string, never>; answers: HqBbox[] }
}

export type RpcName = keyof Rpc

/**
 * Names of procedures that only read, or that may be repeated without harm. Everything else changes something
 * and is done once, however often it is sent. Held against the database by db/test/kept-answer.sql.test.ts.
 */
export const READING_CALL = /^(?:a|__o)_(?:get|count|check|find|preview|probe|suche|import_find)/
