// Keys for programs: what a key can be narrowed to. db/nouns/zugang.sql has the same groups;
// db/test/zugang.sql.test.ts compares them.

/** Groups of tables, as a person would name them. */
export const KEY_GROUPS = [
  'kunden',
  'betriebe',
  'personen',
  'karten',
  'vermessung',
  'bestaende',
  'habitat',
  'belege',
  'notizen',
] as const
export type KeyGroup = (typeof KEY_GROUPS)[number]

export const HALVES = ['forst', 'draenage'] as const
export type Half = (typeof HALVES)[number]

const FOREST_ROLES = [
  'ogf_standard',
  'ogf_fb_admin',
  'multiple_fb',
  'inactive_fb',
  'kundenadmin',
  'ogf_team',
  'ogf_admin',
]
const DRAINAGE_ROLES = ['appuser', 'appuser_admin', 'apus_team', 'apus_admin', 'pruefer']

/** The halves in which somebody with these roles has any. */
export function halvesOf(roles: readonly string[]): Half[] {
  if (roles.includes('admin')) return [...HALVES]
  return HALVES.filter((half) =>
    roles.some((role) => (half === 'forst' ? FOREST_ROLES : DRAINAGE_ROLES).includes(role)),
  )
}

/** The halves whose keys somebody with these roles administers. */
export function administeredHalves(roles: readonly string[]): Half[] {
  if (roles.includes('admin')) return [...HALVES]
  return HALVES.filter((half) => roles.includes(half === 'forst' ? 'ogf_admin' : 'apus_admin'))
}

/** The half whose matter a group is; null: of both. */
export function halfOf(group: KeyGroup): Half | null {
  if (group === 'betriebe' || group === 'bestaende' || group === 'habitat') return 'forst'
  return group === 'karten' || group === 'vermessung' ? 'draenage' : null
}

/** The last day that can be chosen is as many days from today. */
export const LONGEST_DAYS = 366
export const LONGEST_NAME = 60
