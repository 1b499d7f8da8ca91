// What a person may do with somebody of a customer. It mirrors db/nouns/benutzer.sql, so that a screen offers nothing that would be refused; the database decides.
import type { Kunde } from '#contract/kunde.ts'
import type { AppUserOfClient } from '#contract/rpc.ts'
import { LINK_ROLLEN, type Rolle } from './mitglied-words.ts'

export interface Mitgliedschaft extends AppUserOfClient {
  /** rechte.may_manage: app access, invitation, sessions. */
  readonly verwaltbar: boolean
}
export interface Viewer {
  readonly user_id: number
  /** ogf_admin or apus_admin: everybody's links. */
  readonly provider: boolean
  /** The role of the viewer's own link to this customer; null: none. */
  readonly rolle: Rolle | null
}

/** Why nothing, or not everything, can be done. */
export type Reason = 'self' | 'higher' | 'elsewhere'

export interface MayDo {
  /** Roles that may be given; empty where the present one may not be taken either. */
  readonly rollen: readonly Rolle[]
  readonly katasterOn: boolean
  readonly katasterOff: boolean
  readonly remove: boolean
  /** App access and invitation. */
  readonly manage: boolean
  readonly reason: Reason | null
}
const NOTHING = { rollen: [], katasterOn: false, katasterOff: false, remove: false, manage: false } as const

/** Roles that the viewer may give to new people: those of the own link, and the plain one. */
export function rollenToGive({ provider, rolle }: Viewer): readonly Rolle[] {
  if (provider) return LINK_ROLLEN
  return rolle === null || rolle === 'nutzer' ? [] : ['nutzer', rolle]
}

export function mayDo(viewer: Viewer, person: Mitgliedschaft, kunde: Pick<Kunde, 'kataster_status'>): MayDo {
  const { verwaltbar } = person
  if (viewer.provider)
    return {
      rollen: LINK_ROLLEN,
      katasterOn: true,
      katasterOff: true,
      remove: true,
      manage: verwaltbar,
      reason: verwaltbar ? null : 'elsewhere',
    }
  const give = rollenToGive(viewer)
  if (give.length === 0) return { ...NOTHING, reason: 'higher' }
  // Whoever takes away their own rights cannot give them back.
  if (person.user_id === viewer.user_id) return { ...NOTHING, reason: 'self' }
  const kataster = { katasterOn: kunde.kataster_status, katasterOff: true }
  // Nobody takes from another what they could not have given.
  if (!give.includes(person.rolle)) return { ...NOTHING, ...kataster, reason: 'higher' }
  return { ...kataster, rollen: give, remove: true, manage: verwaltbar, reason: verwaltbar ? null : 'elsewhere' }
}
