// Habitat trees of a headquarters, their check-ups over the years, and what offline devices send later.
// Photos: habitat-images.ts. The columns of a tree are declared in domain/habitatbaum-fields.ts.
import type { ColumnsWith, RowOf } from '#domain/fields.ts'
import type { LOSS, MARK, STATE, STATUS } from '#domain/habitat/choices.ts'
import type { HABITATBAUM_FIELDS, TreeField } from '#domain/habitatbaum-fields.ts'
import type { KawmResult, KawmState } from '#domain/kawm.ts'

type Id = number | string

export type HabitatState = keyof typeof STATE
export type HabitatStatus = keyof typeof STATUS
export type MarkKind = keyof typeof MARK
export type LossReason = keyof typeof LOSS
export type InspectionResult =
  | 'vorhanden'
  | 'markierung_fehlt'
  | 'markierung_erneuert'
  | 'veraendert'
  | 'nicht_gefunden'

type Columns = RowOf<typeof HABITATBAUM_FIELDS>
/** What a person records about a tree. */
export type HabitatbaumValues = Pick<Columns, TreeField>
/** A row of app.habitatbaeume without what the database makes of other columns. */
export type Habitatbaum = Omit<Columns, 'lage' | 'g3857' | 'struktur_suche' | 'sortname' | 'suchtext'>

/** A row of the view habitatbaeume_liste, which lists read. */
export interface HabitatbaumRow extends Habitatbaum {
  sHQ: string
  /** |1.1|7.1|: all structure codes, for `like.*|1.1|*`. */
  struktur_suche: string
  markiert: boolean
  verloren: boolean
  bild: boolean
  /** The title photo, otherwise the first one; null without photos. */
  bild_id: number | null
  /** Date of the newest check-up. */
  kontrolle_datum: string | null
  sortname: string
  suchtext: string
  /** Web mercator, to the decimetre. */
  x: number
  y: number
}
/**
 * A row of the view habitatbaeume_karte. For the map's aggregates the view also has zelle_5 to zelle_16: the
 * cell of 2^n metres that contains the tree.
 */
export interface HabitatbaumKarte extends HabitatbaumRow {
  /** Map symbol: 0 alive, 1 dead, 2 candidate, 3 lost. */
  zeichen: 0 | 1 | 2 | 3
}

/** A row of app.habitatkontrollen. */
export interface HabitatInspection {
  id: number
  kennung: string
  habitat_id: number
  client_id: number
  idHQ: number
  datum: string
  ergebnis: InspectionResult
  kontrolleur: string | null
  bemerkung: string | null
  angelegt_am: string
  angelegt_von: string | null
}

export type InspectionCapture = Pick<HabitatInspection, 'kennung' | 'datum' | 'ergebnis'> &
  Partial<Pick<HabitatInspection, 'kontrolleur' | 'bemerkung'>>

/**
 * One record from a device. New trees need idHQ, art, lon and lat; changed ones send only what was changed.
 */
export interface HabitatCapture extends Partial<HabitatbaumValues> {
  kennung: string
  /** The version that the change is based on; null: recorded as new. */
  version: number | null
  idHQ?: Id
  /** Added by their kennung, whatever version the tree has. */
  kontrollen?: InspectionCapture[]
}

/**
 * angelegt, geaendert: done now. unveraendert: the server already has this state, for example after a dropped
 * connection. konflikt: somebody else has changed the tree since `version`; `baum` is the server's state.
 * geloescht: the tree was deleted and is not restored. abgelehnt: `regel` and `feld` say why; nothing of this
 * record was stored.
 */
export type HabitatSyncResult =
  | 'angelegt'
  | 'geaendert'
  | 'unveraendert'
  | 'konflikt'
  | 'geloescht'
  | 'abgelehnt'
export interface HabitatSyncAnswer {
  kennung: string | null
  ergebnis: HabitatSyncResult
  baum: Habitatbaum | null
  regel: string | null
  feld: string | null
}

/** Fields that can be set on many trees at once. */
export type HabitatBulkFields = Partial<Pick<Columns, ColumnsWith<typeof HABITATBAUM_FIELDS, 'bulk'>>>

export type HabitatFinding = 'doppelt' | 'ausserhalb' | 'ohne_bild' | 'ohne_markierung' | 'nummer_doppelt'
/**
 * Something to check. For `doppelt` and `nummer_doppelt` each pair is listed once, with the other tree in
 * `andere`.
 */
export interface HabitatCheckRow {
  befund: HabitatFinding
  id: number
  nummer: string | null
  andere: number | null
  andere_nummer: string | null
  /** Metres to the other tree, or to the holding. */
  abstand_m: number | null
}

export interface HabitatCheck {
  /** Whether the holding's area is drawn; without it no tree counts as outside. */
  flaeche: boolean
  zahlen: Record<HabitatFinding, number>
  /** The first thousand of each kind. */
  zeilen: HabitatCheckRow[]
}

/** Trees that count towards the grant, by their forest address. */
export interface KawmBestand
  extends Pick<HabitatbaumValues, 'sLVL01' | 'sLVL02' | 'sLVL03' | 'sLVL04' | 'sLVL05' | 'iSTAND'> {
  erfasst: number
  markiert: number
  anwaerter: number
  baeume: number
  verloren: number
}
/** State of the grant of one headquarters. */
export interface Kawm extends KawmState, KawmResult {
  idHQ: number
  sHQ: string
  /** Of `erfasst`: candidates and trees. */
  anwaerter: number
  baeume: number
  verloren: number
  /** Trees that do not count towards the grant. */
  ohne_kawm: number
  bestaende: KawmBestand[]
}

export interface HabitatRpc {
  /** Up to 500 records; the results are in the same order. May be resent any number of times. */
  __o_sync_habitatbaeume: { takes: { erfassungen: HabitatCapture[] }; answers: HabitatSyncAnswer[] }
  /** All or none; returns how many were changed. */
  __o_change_habitatbaeume: { takes: { ids: Id[]; werte: HabitatBulkFields }; answers: number }
  /** Lost trees are ignored. */
  a_get_habitat_pruefung: { takes: { idHQ: Id }; answers: HabitatCheck }
  __o_get_kawm: { takes: { idHQ: Id }; answers: Kawm }
}
