// KAWM of a headquarters beyond its figures (habitat.ts): its stands, its course over the months, and the evidences that were made.

import type { BestandScope } from './bestand.ts'

type Id = number | string

/** [id, levels, number, hectares, recorded, marked, candidates, of them placed by their position]; trees that count for the grant. */
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
  /** Where it is not 'alles', there are no stands here, and all trees count as standing in none. */
  umfang: BestandScope
  /** In natural order of their addresses, those without a tree among them. */
  bestaende: KawmBestandRow[]
  /** Trees whose address names no stand and that lie in none. */
  ohne_bestand: { erfasst: number; markiert: number; anwaerter: number }
  /** Months in which something was recorded or marked, YYYY-MM. */
  monate: [monat: string, erfasst: number, markiert: number][]
  /** Marked, nobody says when: in no month. */
  markiert_ohne_datum: number
}

/** What the history keeps of an evidence (`verlauf.neu` of `tabelle` 'kawm_nachweis', `schluessel` the headquarters). */
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
  /** Of a headquarters whose trees the caller may not read: not found. */
  a_get_kawm_bestaende: { takes: { idHQ: Id }; answers: KawmBestaende }
}
