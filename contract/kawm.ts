// KAWM of a headquarters beyond its figures (habitat.ts): its stands, its course over the months, and the
// evidences made.

import type { BestandScope } from './bestand.ts'

type Id = number | string

/**
 * [id, levels, number, hectares, recorded, marked, candidates, of which placed by their position]; only trees
 * that count towards the grant.
 */
export type KawmBestandRow = [
  id: number,
  l: (string | null)[],
  s: number | null,
  ha: number,
  erfasst: number,
  markiert: number,
  anwaerter: number,
  nach_lage: number,
]
export interface KawmBestaende {
  idHQ: number
  sHQ: string
  /** Names of the five levels; '' for a level that is not used. */
  ebenen: string[]
  heute: string
  /** Unless this is 'alles', no stands are listed and all trees count as being in none. */
  umfang: BestandScope
  /** In natural order of their addresses, including those without a tree. */
  bestaende: KawmBestandRow[]
  /** Trees whose address names no stand and that are not inside one. */
  ohne_bestand: { erfasst: number; markiert: number; anwaerter: number }
  /** Months in which something was recorded or marked, YYYY-MM. */
  monate: [monat: string, erfasst: number, markiert: number][]
  /** Marked at an unknown date, so in none of the months. */
  markiert_ohne_datum: number
}

/**
 * What the history stores about an evidence (`verlauf.neu` with `tabelle` 'kawm_nachweis' and the
 * headquarters as `schluessel`).
 */
export interface KawmCertificate {
  stichtag: string
  dateiname: string
  groesse: number
  sha256: string
  soll: number | null
  erfasst: number
  markiert: number
}

export interface KawmRpc {
  /** Not found for a headquarters whose trees the caller may not read. */
  a_get_kawm_bestaende: { takes: { idHQ: Id }; answers: KawmBestaende }
}
