// People of the sample and their links: first one demo account per role, then the provider's staff, then the
// customers' people.
import { DEMO_ACCOUNTS, type DemoAccount } from '#domain/demo-accounts.ts'
import { makePerson, slug } from './invent.ts'
import type { Random } from './random.ts'
import type { Day, SampleHq, SampleKunde } from './sample-rows.ts'

export interface SampleBenutzer {
  readonly user_id: number
  readonly username: string
  readonly email: string
  readonly mail: string | null
  readonly first_name: string
  readonly last_name: string
  readonly db_role: string
  readonly geb: string | null
  readonly geschlecht: 'weiblich' | 'männlich'
  readonly reg_date: string
  readonly system_status: string
  readonly apus_admin: boolean
  readonly apus_team: boolean
  readonly pruefer_bis: string | null
  readonly kataster_enabled: boolean
  readonly app_status: 'aktiv' | 'gesperrt'
  readonly enabled: boolean
}
export interface SampleBenutzerKunde {
  readonly client_id: number
  readonly user_id: number
  readonly rolle: 'admin' | 'kundenadmin' | 'nutzer'
  readonly kataster_enabled: boolean
}
export interface SampleBenutzerHq {
  readonly client_id: number
  readonly hqid: number
  readonly user_id: number
  readonly hq_status: readonly ('hq_admin' | 'hq_user')[]
}

interface World {
  readonly kunde: readonly SampleKunde[]
  readonly hq: readonly SampleHq[]
  readonly users: number
  readonly random: Random
  readonly day: Day
}
interface Role {
  readonly status: string
  readonly kunde?: SampleBenutzerKunde['rolle']
  readonly hqs?: number
  readonly hq_status?: SampleBenutzerHq['hq_status']
}

/** Status and links of each demo account. Headquarters 1 to 5 belong to the first customer; 3 is disabled. */
const DEMO: Record<DemoAccount['role'], Omit<Role, 'hqs'> & { client_id?: number; hqs?: readonly number[] }> =
  {
    ogf_init: { status: 'ogf_init' },
    ogf_standard: { status: 'ogf_standard', hqs: [1] },
    ogf_fb_admin: { status: 'ogf_standard', hqs: [1], hq_status: ['hq_user', 'hq_admin'] },
    multiple_fb: { status: 'ogf_standard', hqs: [1, 2, 4] },
    inactive_fb: { status: 'ogf_standard', hqs: [3] },
    ogf_team: { status: 'ogf_team' },
    ogf_admin: { status: 'ogf_admin' },
    kundenadmin: { status: 'kundenadmin', client_id: 1, kunde: 'kundenadmin' },
    appuser: { status: 'appuser', client_id: 2, kunde: 'nutzer' },
    appuser_admin: { status: 'appuser_admin', client_id: 2, kunde: 'admin' },
    apus_team: { status: 'apus_team' },
    apus_admin: { status: 'apus_admin' },
    admin: { status: 'admin' },
    pruefer: { status: 'ogf_init' },
  }

const STAFF = [
  'ogf_admin',
  'ogf_team',
  'ogf_team',
  'ogf_team',
  'apus_admin',
  'apus_team',
  'apus_team',
  'apus_team',
]

/** Kinds of customers' people and the share of each. */
const CUSTOMERS: readonly (readonly [share: number, role: Role])[] = [
  [0.06, { status: 'ogf_init' }],
  [0.12, { status: 'kundenadmin', kunde: 'kundenadmin' }],
  [0.08, { status: 'appuser_admin', kunde: 'admin' }],
  [0.2, { status: 'appuser', kunde: 'nutzer' }],
  [0.14, { status: 'ogf_standard', hqs: 1, hq_status: ['hq_user', 'hq_admin'] }],
  [0.12, { status: 'ogf_standard', hqs: 3 }],
  [0.06, { status: 'ogf_standard', kunde: 'nutzer', hqs: 1 }],
  [1, { status: 'ogf_standard', hqs: 1 }],
]

/** Collects the rows of people and their links. */
function register(random: Random, day: World['day']) {
  const benutzer: SampleBenutzer[] = []
  const benutzer_kunde: SampleBenutzerKunde[] = []
  const benutzer_hq: SampleBenutzerHq[] = []
  const addPerson = (
    given: {
      first_name: string
      last_name: string
      gender: 'Herr' | 'Frau'
      email?: string
      domain?: string
    },
    status: string,
    pruefer_bis: string | null = null,
  ): number => {
    const user_id = benutzer.length + 1
    const demo = given.email !== undefined
    const local = `${slug(given.first_name)}.${slug(given.last_name)}`
    const email = given.email ?? `${local}.${user_id}@${given.domain}.example`
    benutzer.push({
      user_id,
      username: email,
      email,
      mail: random.chance(0.2) ? `${local}@post.example` : null,
      first_name: given.first_name,
      last_name: given.last_name,
      db_role: `${local.replace(/[^a-z]+/g, '_')}_${user_id}`,
      geb: random.chance(0.3)
        ? `${random.int(1955, 2004)}-${day(-random.int(0, 364)).slice(5).replace('02-29', '02-28')}`
        : null,
      geschlecht: given.gender === 'Frau' ? 'weiblich' : 'männlich',
      reg_date: `${day(-random.int(1, 1500))}T09:00:00Z`,
      system_status: status,
      apus_admin: status === 'apus_admin',
      apus_team: status === 'apus_team',
      pruefer_bis,
      // Overwritten by the links; the random number is drawn anyway, so that everything after it stays the
      // same.
      kataster_enabled: status.startsWith('app') && random.chance(0.5),
      app_status: demo || random.chance(0.95) ? 'aktiv' : 'gesperrt',
      enabled: demo || random.chance(0.97),
    })
    return user_id
  }
  const addHqs = (
    user_id: number,
    hqs: readonly SampleHq[],
    hq_status: SampleBenutzerHq['hq_status'] = ['hq_user'],
  ) => {
    for (const { idHQ, client_id } of hqs) benutzer_hq.push({ client_id, hqid: idHQ, user_id, hq_status })
  }
  const addKunde = (user_id: number, of: SampleKunde, role: SampleBenutzerKunde['rolle']) =>
    benutzer_kunde.push({
      client_id: of.client_id,
      user_id,
      rolle: role,
      kataster_enabled: of.kataster_status && role !== 'kundenadmin',
    })
  return { benutzer, benutzer_kunde, benutzer_hq, addPerson, addHqs, addKunde }
}

export function makePeople({ kunde, hq, users, random, day }: World) {
  const hqsOf = new Map<number, SampleHq[]>()
  for (const row of hq) hqsOf.set(row.client_id, [...(hqsOf.get(row.client_id) ?? []), row])

  const { benutzer, benutzer_kunde, benutzer_hq, addPerson, addHqs, addKunde } = register(random, day)
  const addDemo = (account: DemoAccount) => {
    const { status, client_id, kunde: role, hqs = [], hq_status } = DEMO[account.role]
    const gender = account.first_name.endsWith('a') ? 'Frau' : 'Herr'
    const user_id = addPerson(
      { first_name: account.first_name, last_name: account.last_name, gender, email: account.email },
      status,
      account.role === 'pruefer' ? day(365) : null,
    )
    if (client_id !== undefined && role !== undefined) addKunde(user_id, kunde[client_id - 1]!, role)
    addHqs(
      user_id,
      hq.filter(({ idHQ, client_id: owner }) => owner === 1 && hqs.includes(idHQ)),
      hq_status,
    )
  }
  // The auditor comes last: everybody else keeps the number and the random values from before.
  const [auditors, others] = [
    DEMO_ACCOUNTS.filter(({ role }) => role === 'pruefer'),
    DEMO_ACCOUNTS.filter(({ role }) => role !== 'pruefer'),
  ]
  for (const account of others) addDemo(account)
  const staff = Math.min(24, Math.max(0, users - benutzer.length))
  for (let nr = 0; nr < staff; nr++) {
    const status = STAFF[nr % STAFF.length]!
    const user_id = addPerson({ ...makePerson(random), domain: 'forstkontor' }, status)
    // Staff who look after a customer in the drainage half.
    if (status === 'apus_team') for (const of of random.sample(kunde, 3)) addKunde(user_id, of, 'nutzer')
  }
  for (let nr = benutzer.length; nr < users - auditors.length; nr++) {
    // Cycles through the customers, so that each has people.
    const of = kunde[nr % kunde.length]!
    const role = pickRole(random)
    const user_id = addPerson(
      { ...makePerson(random), domain: slug(of.name).slice(0, 40).replace(/-+$/, '') },
      role.status,
    )
    if (role.kunde !== undefined) addKunde(user_id, of, role.kunde)
    if (role.hqs !== undefined)
      addHqs(user_id, random.sample(hqsOf.get(of.client_id) ?? [], role.hqs), role.hq_status)
  }
  for (const account of auditors) addDemo(account)
  const withKataster = new Set(
    benutzer_kunde.filter(({ kataster_enabled }) => kataster_enabled).map(({ user_id }) => user_id),
  )
  return {
    benutzer: benutzer.map((person) => ({ ...person, kataster_enabled: withKataster.has(person.user_id) })),
    benutzer_kunde,
    benutzer_hq,
  }
}

function pickRole(random: Random): Role {
  let at = random.next()
  for (const [share, role] of CUSTOMERS) {
    at -= share
    if (at < 0) return role
  }
  return CUSTOMERS.at(-1)![1]
}
