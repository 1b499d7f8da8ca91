// What a person may do with somebody of a customer. It mirrors db/nouns/benutzer.sql, so that a screen offers nothing that would be refused; the database decides.
import type { Kunde } from '#contract/kunde.ts'
import type { AppUserOfClient } from '#contract/rpc.ts'
import { LINK_ROLES, type Role } from './member-words.ts'

export interface Membership extends AppUserOfClient {
  /** rechte.may_manage: app access, invitation, sessions. */
  readonly verwaltbar: boolean
}
export interface Viewer {
  readonly user_id: number
  /** apus_admin: everybody's links of the drainage half. */
  readonly provider: boolean
  /** ogf_admin as well: those of the forest half too. */
  readonly forst?: boolean | undefined
  /** The role of the viewer's own link to this customer; null: none. */
  readonly rolle: Role | null
  /** Whether the viewer sees the Kataster themselves; without it they give it to nobody. */
  readonly kataster?: boolean | undefined
}

/** Why nothing, or not everything, can be done. */
export type Reason = 'self' | 'higher' | 'elsewhere'

export interface MayDo {
  /** Roles that may be given; empty where the present one may not be taken either. */
  readonly rollen: readonly Role[]
  readonly katasterOn: boolean
  readonly katasterOff: boolean
  readonly remove: boolean
  /** App access and invitation. */
  readonly manage: boolean
  readonly reason: Reason | null
}
const NOTHING = { rollen: [], katasterOn: false, katasterOff: false, remove: false, manage: false } as const

/** Roles that the viewer may give: of the provider those of their half, a customer's admin what the own link carries (rechte.gives_link). */
export function rolesToGive({ provider, forst = false, rolle }: Viewer): readonly Role[] {
  if (provider) return LINK_ROLES.filter((one) => forst || one !== 'kundenadmin')
  return rolle === 'admin' ? ['nutzer', 'admin'] : rolle === 'kundenadmin' ? ['kundenadmin'] : []
}

/** What one gives one may take, and the plain role (rechte.takes_link). */
const takesRole = (viewer: Viewer, rolle: Role): boolean =>
  rolle === 'nutzer' || rolesToGive(viewer).includes(rolle)

export function mayDo(viewer: Viewer, person: Membership, kunde: Pick<Kunde, 'kataster_status'>): MayDo {
  const { verwaltbar } = person
  const self = person.user_id === viewer.user_id
  // Nobody gives themselves anything, the provider's people neither.
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
  // Whoever takes away their own rights cannot give them back.
  if (self) return { ...NOTHING, reason: 'self' }
  const drainage = viewer.rolle === 'admin'
  const kataster = {
    katasterOn: drainage && kunde.kataster_status && viewer.kataster === true,
    katasterOff: drainage,
  }
  // Nobody takes from another what they could not have given.
  if (!takesRole(viewer, person.rolle)) return { ...NOTHING, ...kataster, reason: 'higher' }
  return {
    ...kataster,
    rollen: give,
    remove: true,
    manage: verwaltbar,
    reason: verwaltbar ? null : 'elsewhere',
  }
}
