// Keys for programs: rows of app.a_get_zugaenge and the call that makes one.
import type { Half, KeyGroup } from '#domain/zugang.ts'

export interface KeyLimits {
  /** haus: of the installation; its half's admins see and end it. */
  readonly art: 'person' | 'haus'
  readonly name: string
  readonly haelfte: Half | null
  /** Null: everything that the person sees. */
  readonly gruppen: readonly KeyGroup[] | null
  readonly nur_lesen: boolean
  readonly client_id: number | null
  /** The last day on which it works. */
  readonly bis: string
}

export interface Zugang extends KeyLimits {
  readonly id: number
  /** The last characters of the key. */
  readonly zeichen: string
  readonly kunde: string | null
  readonly erstellt_am: string
  /** To the hour. */
  readonly zuletzt_am: string | null
  readonly zustand: 'aktiv' | 'abgelaufen' | 'beendet'
  readonly beendet_am: string | null
  readonly beendet_von: string | null
  readonly user_id: number
  readonly inhaber: string
  /** Of the outside provider: its tokens work with this key. */
  readonly client: string | null
}

/** POST zugaenge, with what shows who asks. */
export interface NewKey extends KeyLimits {
  /** Of the outside provider, for which the key is; there is no secret then. */
  readonly client?: string
}
export interface NewKeyRequest extends NewKey {
  readonly passwort: string
  readonly code: string
}
export interface MadeKey {
  readonly id: number
  /** The key itself, this one time; null: a client of the outside provider uses it. */
  readonly zugang: string | null
}

/** POST geraet-ansehen: what a program asks for that wants to be connected. */
export interface AskedByDevice {
  /** What it calls itself. */
  readonly programm: string
  readonly schreiben: boolean
  /** Null: all. */
  readonly gruppen: readonly KeyGroup[] | null
  /** Seconds since 1970. */
  readonly begonnen: number
}

export interface ZugangRpc {
  /** Own keys; with `alle` those that the caller administers. */
  a_get_zugaenge: { takes: { alle?: boolean }; answers: Zugang[] }
  a_end_zugang: { takes: { id: number }; answers: null }
}
