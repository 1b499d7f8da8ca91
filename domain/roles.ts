// How roles are derived. SQL has the same rule (db/nouns/rights.sql); the tests of both read
// roles.cases.json.

/** Base roles a benutzer row may have as system_status. */
export const SYSTEM_STATUS = [
  'ogf_init',
  'ogf_standard',
  'ogf_team',
  'ogf_admin',
  'kundenadmin',
  'appuser',
  'appuser_admin',
  'apus_team',
  'apus_admin',
  'admin',
] as const

/** All roles of the application: the base roles, those derived from headquarters, and auditors. */
export const ROLES = [...SYSTEM_STATUS, 'ogf_fb_admin', 'multiple_fb', 'inactive_fb', 'pruefer'] as const
export type Role = (typeof ROLES)[number]

const VALIDATED: readonly Role[] = [
  'ogf_init',
  'ogf_standard',
  'appuser',
  'multiple_fb',
  'ogf_fb_admin',
  'inactive_fb',
  'pruefer',
]
const CUSTOMER_ADMIN: readonly Role[] = [...VALIDATED, 'kundenadmin', 'appuser_admin']
const TEAM: readonly Role[] = [...CUSTOMER_ADMIN, 'apus_team', 'ogf_team']

/** Groups of the identity provider, lowest first, with the roles each allows at most. */
const CEILINGS: readonly (readonly [group: string, roles: readonly Role[]])[] = [
  ['appuser_new', ['ogf_init']],
  ['appuser_validated', VALIDATED],
  ['appuser_admin', CUSTOMER_ADMIN],
  ['appuser_apus', TEAM],
  ['appuser_apus_admin', ROLES],
]

const BY_KUNDE: Record<string, readonly Role[]> = {
  admin: ['appuser_admin', 'appuser'],
  kundenadmin: ['kundenadmin'],
  nutzer: ['appuser'],
}
/** The order in which links to customers are considered, independent of the order of the rows. */
const KUNDE_ORDER = ['admin', 'kundenadmin', 'nutzer']

export interface RolesSource {
  readonly groups: readonly string[]
  readonly system_status: string
  readonly apus_admin: boolean
  readonly apus_team: boolean
  /** The day until which the person audits the books (benutzer.pruefer_bis) has not passed. */
  readonly pruefer: boolean
  /** benutzer_kunde.rolle of each link. */
  readonly kunden: readonly string[]
  readonly hqs: readonly { readonly hq_status: readonly string[]; readonly fb_enabled: boolean }[]
}

/**
 * Keycloak sends a group as its name or as its full path; a deeper path with the same name is another group.
 */
function ceilingOf(groups: readonly string[]): readonly Role[] {
  const held = (group: string) => groups.includes(group) || groups.includes(`/${group}`)
  return (CEILINGS.findLast(([group]) => held(group)) ?? CEILINGS[0]!)[1]
}

/**
 * Base role first, because the sidebar looks at the first one. Never empty: a person without any rights is
 * ogf_init.
 */
export function deriveRoles(source: RolesSource): Role[] {
  const roles: Role[] = SYSTEM_STATUS.filter((status) => status === source.system_status)
  if (source.apus_admin) roles.push('apus_admin')
  if (source.apus_team) roles.push('apus_team')
  for (const roleName of KUNDE_ORDER) if (source.kunden.includes(roleName)) roles.push(...BY_KUNDE[roleName]!)
  if (source.hqs.length > 1) roles.push('multiple_fb')
  if (source.hqs.some((hq) => hq.hq_status.includes('hq_admin'))) roles.push('ogf_fb_admin')
  if (source.hqs.length > 0 && !source.hqs.some((hq) => hq.fb_enabled)) roles.push('inactive_fb')
  if (source.pruefer) roles.push('pruefer')
  const ceiling = ceilingOf(source.groups)
  const allowed = [...new Set(roles)].filter((role) => ceiling.includes(role))
  // An auditor has a place, although they belong to neither half.
  if (allowed.includes('pruefer')) return allowed.filter((role) => role !== 'ogf_init')
  return allowed.length > 0 ? allowed : ['ogf_init']
}

/** admin includes everything that the provider's admins of both halves may do. */
export const hasOneOf = (held: readonly Role[], wanted: readonly Role[]): boolean =>
  held.includes('admin') || wanted.some((role) => held.includes(role))

/** A customer's admin, by the sidebar's rule: the first role decides. */
export const isFbAdmin = (roles: readonly Role[]): boolean => (roles[0] ?? '').includes('kundenadmin')

/** The subscription prompt is hidden from the provider's forest staff, the newly registered and auditors. */
export const hidesAboPrompt = (roles: readonly Role[]): boolean =>
  ['ogf_admin', 'ogf_team', 'ogf_init', 'pruefer'].some((role) => (roles[0] ?? '').includes(role))
