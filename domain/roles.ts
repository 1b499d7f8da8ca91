// How roles come about. The same rule stands in SQL (db/nouns/rechte.sql); roles.cases.json is read by the tests of both.

/** Base roles a benutzer row may carry as system_status. */
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

/** All roles of the product: the base roles and those that follow from headquarters. */
export const ROLES = [...SYSTEM_STATUS, 'ogf_fb_admin', 'multiple_fb', 'inactive_fb'] as const

const VALIDATED = ['ogf_init', 'ogf_standard', 'appuser', 'multiple_fb', 'ogf_fb_admin', 'inactive_fb']
const CUSTOMER_ADMIN = [...VALIDATED, 'kundenadmin', 'appuser_admin']
const TEAM = [...CUSTOMER_ADMIN, 'apus_team', 'ogf_team']

/** Groups of the identity provider, lowest first, and the most that each allows. */
const CEILINGS: readonly (readonly [group: string, roles: readonly string[]])[] = [
  ['appuser_new', ['ogf_init']],
  ['appuser_validated', VALIDATED],
  ['appuser_admin', CUSTOMER_ADMIN],
  ['appuser_apus', TEAM],
  ['appuser_apus_admin', ROLES],
]

const BY_KUNDE: Record<string, readonly string[]> = {
  admin: ['appuser_admin', 'appuser'],
  kundenadmin: ['kundenadmin'],
  nutzer: ['appuser'],
}
/** The order in which links to customers are looked at; it does not depend on the order of the rows. */
const KUNDE_ORDER = ['admin', 'kundenadmin', 'nutzer']

export interface RolesSource {
  readonly groups: readonly string[]
  readonly system_status: string
  readonly apus_admin: boolean
  readonly apus_team: boolean
  /** benutzer_kunde.rolle of each link. */
  readonly kunden: readonly string[]
  readonly hqs: readonly { readonly hq_status: readonly string[]; readonly fb_enabled: boolean }[]
}

/** Keycloak sends a group as its name or as its full path; a deeper path of the same name is another group. */
function ceilingOf(groups: readonly string[]): readonly string[] {
  const held = (group: string) => groups.includes(group) || groups.includes(`/${group}`)
  return (CEILINGS.findLast(([group]) => held(group)) ?? CEILINGS[0]!)[1]
}

/** Base role first: the sidebar looks at the first one. Never empty: who may do nothing is ogf_init. */
export function deriveRoles(source: RolesSource): string[] {
  const roles: string[] = (SYSTEM_STATUS as readonly string[]).includes(source.system_status)
    ? [source.system_status]
    : []
  if (source.apus_admin) roles.push('apus_admin')
  if (source.apus_team) roles.push('apus_team')
  for (const rolle of KUNDE_ORDER) if (source.kunden.includes(rolle)) roles.push(...BY_KUNDE[rolle]!)
  if (source.hqs.length > 1) roles.push('multiple_fb')
  if (source.hqs.some((hq) => hq.hq_status.includes('hq_admin'))) roles.push('ogf_fb_admin')
  if (source.hqs.length > 0 && !source.hqs.some((hq) => hq.fb_enabled)) roles.push('inactive_fb')
  const ceiling = ceilingOf(source.groups)
  const allowed = [...new Set(roles)].filter((role) => ceiling.includes(role))
  return allowed.length > 0 ? allowed : ['ogf_init']
}

/** admin stands for everything that the provider's admins of both halves may do. */
export const hasOneOf = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.includes('admin') || wanted.some((role) => held.includes(role))

/** A customer's admin, by the sidebar's rule: the first role decides. */
export const isFbAdmin = (roles: readonly string[]): boolean => (roles[0] ?? '').includes('kundenadmin')

/** The subscription prompt is hidden for the provider's forest staff and for the newly registered. */
export const hidesAboPrompt = (roles: readonly string[]): boolean =>
  ['ogf_admin', 'ogf_team', 'ogf_init'].some((role) => (roles[0] ?? '').includes(role))
