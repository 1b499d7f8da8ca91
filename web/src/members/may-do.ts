// What a viewer may do with one of a customer's people. Mirrors db/nouns/benutzer.sql so that screens do not
// offer what would be refused; the database decides.
import type { Kunde } from '#contract/kunde.ts'
import type { AppUserOfClient } from '#contract/rpc.ts'
import { LINK_ROLES, type Role } from './member-words.ts'

export interface Membership extends AppUserOfClient {
  /** rights.may_manage: app access, invitation, sessions. */
  readonly verwaltbar: boolean
}
export interface Viewer {
  readonly user_id: number
  /** apus_admin: may change all links of the drainage side. */
  readonly provider: boolean
  /** Also ogf_admin: may change those of the forest side too. */
  readonly forst?: boolean | undefined
  /** Role of the viewer's own link to this customer; null without one. */
  readonly rolle: Role | null
  /** Whether the viewer has Kataster access; without it they cannot grant it. */
  readonly kataster?: boolean | undefined
}

/** Why some or all actions are unavailable. */
export type Reason = 'self' | 'higher' | 'elsewhere'

export interface MayDo {
  /** Roles that may be given; empty if the current role may not be taken away either. */
  readonly rollen: readonly Role[]
  readonly katasterOn: boolean
  readonly katasterOff: boolean
  readonly remove: boolean
  /** App access and invitations. */
  readonly manage: boolean
  readonly reason: Reason | null
}
const NOTHING = { rollen: [], katasterOn: false, katasterOff: false, remove: false, manage: false } as const

/**
 * Roles that the viewer may give: the provider's people those of their side, a customer's admins those that
 * their own link allows (rights.gives_link).
 */
export function rolesToGive({ provider, forst = false, rolle }: Viewer): readonly Role[] {
  if (provider) return LINK_ROLES.filter((one) => forst || one !== 'kundenadmin')
  return rolle === 'admin' ? ['nutzer', 'admin'] : rolle === 'kundenadmin' ? ['kundenadmin'] : []
}

/** Anyone may take the roles they may give, and the plain role (rights.takes_link). */
const takesRole = (viewer: Viewer, role: Role): boolean =>
  role === 'nutzer' || rolesToGive(viewer).includes(role)

export function mayDo(viewer: Viewer, person: Membership, kunde: Pick<Kunde, 'kataster_status'>): MayDo {
  const { verwaltbar } = person
  const self = person.user_id === viewer.user_id
  // Nobody may give themselves anything, not even the provider's people.
  if (viewer.provider && self) return { ...NOTHING, katasterOff: true, remove: true, reason: 'self' }
  if (viewer.provider)
    return {
      rollen: takesRole(viewer, person.rolle) ? rolesToGive(viewer) : [],
      katasterOn: true,
      katasterOff: true,
      remove: true,
      manage: verwaltbar,
      reason: verwaltbar ? null : 'elsewhere',
    }
  const give = rolesToGive(viewer)
  if (give.length === 0) return { ...NOTHING, reason: 'higher' }
  // People who took away their own rights could not restore them.
  if (self) return { ...NOTHING, reason: 'self' }
  const drainage = viewer.rolle === 'admin'
  const kataster = {
    katasterOn: drainage && kunde.kataster_status && viewer.kataster === true,
    katasterOff: drainage,
  }
  // A role that the viewer could not have given may not be taken away either.
  if (!takesRole(viewer, person.rolle)) return { ...NOTHING, ...kataster, reason: 'higher' }
  return {
    ...kataster,
    rollen: give,
    remove: true,
    manage: verwaltbar,
    reason: verwaltbar ? null : 'elsewhere',
  }
}
