// Where a person's roles come from, and who may assign them. The derivation itself is in roles.ts; SQL also
// has the rules of assignment (rights.may_give, rights.may_take, rights.may_manage, accounts.account_state in
// db/nouns), and db/test/nutzer.sql.test.ts compares the two.
import { deriveRoles, hasOneOf, SYSTEM_STATUS, type Role } from './roles.ts'

/** The record and the links of a person. */
export interface PersonSituation {
  readonly system_status: string
  readonly apus_admin: boolean
  readonly apus_team: boolean
  /** The last day on which the person audits the books. */
  readonly pruefer_bis: string | null
  /** Whether that day has not passed. */
  readonly pruefer: boolean
  readonly kunden: readonly { readonly rolle: string }[]
  readonly hqs: readonly { readonly hq_status: readonly string[]; readonly fb_enabled: boolean }[]
}

/**
 * The group that the embedded provider puts into the person's token: the lowest one whose ceiling allows the
 * roles of the record.
 */
export function groupOf({ system_status, apus_admin, apus_team, pruefer, kunden }: PersonSituation): string {
  if (apus_admin || ['apus_admin', 'ogf_admin', 'admin'].includes(system_status)) return 'appuser_apus_admin'
  if (apus_team || ['apus_team', 'ogf_team'].includes(system_status)) return 'appuser_apus'
  const isCustomerAdmin = kunden.some(({ rolle }) => rolle === 'admin' || rolle === 'kundenadmin')
  if (['kundenadmin', 'appuser_admin'].includes(system_status) || isCustomerAdmin) return 'appuser_admin'
  return system_status === 'ogf_init' && !pruefer ? 'appuser_new' : 'appuser_validated'
}

export const isStaff = ({
  system_status,
  apus_admin,
  apus_team,
}: Pick<PersonSituation, 'system_status' | 'apus_admin' | 'apus_team'>): boolean =>
  apus_admin ||
  apus_team ||
  ['apus_admin', 'apus_team', 'ogf_admin', 'ogf_team', 'admin'].includes(system_status)

const sourceOf = (situation: PersonSituation) => ({
  ...situation,
  kunden: situation.kunden.map(({ rolle }) => rolle),
})

/** Roles of a person with a token of the embedded provider, base role first. */
export const rolesOf = (situation: PersonSituation): Role[] =>
  deriveRoles({ ...sourceOf(situation), groups: [groupOf(situation)] })

/** One source of roles. `nr`: index of the link in `kunden`. */
export type Origin =
  | {
      readonly art:
        | 'status'
        | 'apus_admin'
        | 'apus_team'
        | 'mehrere_hqs'
        | 'hq_admin'
        | 'keine_hq_frei'
        | 'pruefer'
      readonly rollen: readonly Role[]
    }
  | { readonly art: 'kunde'; readonly nr: number; readonly rollen: readonly Role[] }

const NOTHING: PersonSituation = {
  system_status: '',
  apus_admin: false,
  apus_team: false,
  pruefer_bis: null,
  pruefer: false,
  kunden: [],
  hqs: [],
}
const alone = (situation: Partial<PersonSituation>, roles: readonly Role[]) =>
  deriveRoles({ ...sourceOf({ ...NOTHING, ...situation }), groups: ['appuser_apus_admin'] }).filter((role) =>
    roles.includes(role),
  )

/** The sources in the order of the derivation, each with only those roles that the person holds. */
export function originsOf(situation: PersonSituation): Origin[] {
  const held = rolesOf(situation)
  const from = (art: Exclude<Origin['art'], 'kunde'>, roles: readonly Role[]): Origin => ({
    art,
    rollen: roles.filter((role) => held.includes(role)),
  })
  const list: Origin[] = [
    from(
      'status',
      SYSTEM_STATUS.filter((status) => status === situation.system_status),
    ),
    from('apus_admin', situation.apus_admin ? ['apus_admin'] : []),
    from('apus_team', situation.apus_team ? ['apus_team'] : []),
    ...situation.kunden.map(
      ({ rolle }, nr): Origin => ({ art: 'kunde', nr, rollen: alone({ kunden: [{ rolle }] }, held) }),
    ),
    from('mehrere_hqs', situation.hqs.length > 1 ? ['multiple_fb'] : []),
    from(
      'hq_admin',
      situation.hqs.some(({ hq_status }) => hq_status.includes('hq_admin')) ? ['ogf_fb_admin'] : [],
    ),
    from(
      'keine_hq_frei',
      situation.hqs.length > 0 && !situation.hqs.some(({ fb_enabled }) => fb_enabled) ? ['inactive_fb'] : [],
    ),
    from('pruefer', situation.pruefer ? ['pruefer'] : []),
  ]
  return list.filter(({ rollen }) => rollen.length > 0)
}

/**
 * Whether somebody who holds `held` may assign this base role to others: the admin of each half assigns those
 * of that half; nobody assigns `admin`.
 */
export function mayGive(held: readonly Role[], role: string): boolean {
  if (['ogf_admin', 'ogf_team', 'ogf_standard', 'kundenadmin'].includes(role))
    return hasOneOf(held, ['ogf_admin'])
  if (['apus_admin', 'apus_team', 'appuser', 'appuser_admin'].includes(role))
    return hasOneOf(held, ['apus_admin'])
  return role === 'ogf_init' && hasOneOf(held, ['ogf_admin', 'apus_admin'])
}

/**
 * Whether they may revoke it: staff roles by the admin of their half, `admin` by another admin, roles of
 * customers' people by the admin of either half.
 */
export function mayTake(held: readonly Role[], role: string): boolean {
  if (role === 'ogf_admin' || role === 'ogf_team') return hasOneOf(held, ['ogf_admin'])
  if (role === 'apus_admin' || role === 'apus_team') return hasOneOf(held, ['apus_admin'])
  if (role === 'admin') return held.includes('admin')
  return hasOneOf(held, ['ogf_admin', 'apus_admin'])
}

/** The roles of customer links that the provider's people may assign to others (rights.gives_link). */
export const linkRolesToGive = (held: readonly Role[]): readonly ('nutzer' | 'kundenadmin' | 'admin')[] => [
  ...(hasOneOf(held, ['apus_admin']) ? (['nutzer', 'admin'] as const) : []),
  ...(hasOneOf(held, ['ogf_admin']) ? (['kundenadmin'] as const) : []),
]

/**
 * Whether the second base role grants nothing beyond the first one, which is what people may do to themselves
 * (rights.lays_down).
 */
export function laysDown(before: string, after: string): boolean {
  if (after === 'ogf_init') return true
  if (before === 'admin') return ['ogf_admin', 'apus_admin', 'ogf_standard', 'appuser'].includes(after)
  return (
    (before === 'ogf_admin' && after === 'ogf_standard') || (before === 'apus_admin' && after === 'appuser')
  )
}

/** The base roles that may replace the present one; none if that one may not be revoked. */
export const statusToGive = (held: readonly Role[], present: string): readonly string[] =>
  mayTake(held, present) ? SYSTEM_STATUS.filter((status) => mayGive(held, status)) : []

/** Whether an admin of the provider may lock, invite and change this person. */
export const mayManage = (
  held: readonly Role[],
  // Lists of a customer's people do not tell who audits the books: nobody there does.
  person: Pick<PersonSituation, 'system_status' | 'apus_admin' | 'apus_team'> &
    Partial<Pick<PersonSituation, 'pruefer_bis'>>,
): boolean =>
  mayTake(held, person.system_status) &&
  (hasOneOf(held, ['apus_admin']) ||
    !(person.apus_admin || person.apus_team || (person.pruefer_bis ?? null) !== null))
