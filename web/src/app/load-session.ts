// Determines the roles for a token: profile, the person's data, their headquarters.
import type { UserData } from '#contract/benutzer.ts'
import type { HqRecord } from '#contract/hq.ts'
import { deriveRoles, type Role } from '#domain/roles.ts'
import { ApiError, errorText } from '../data/api-error.ts'
import { callGeneral } from '../data/client.ts'
import { rpc } from '../data/rpc.ts'
import type { Session } from '../data/session.ts'
import { t } from '../ui/text.ts'
import type { Profile } from './identity.ts'
import { passingOf } from './passing.ts'

/** Codes that end the sign-in: a rejected token does not make anyone a newcomer. */
const NO_SESSION: ReadonlySet<string> = new Set(['not_signed_in', 'session_expired', 'account_disabled'])

/** A proxy may answer with JSON of its own. */
function checkedList<T>(value: unknown): T[] {
  if (Array.isArray(value)) return value as T[]
  throw new ApiError('unavailable', errorText('unavailable'), { detail: 'the answer is not a list' })
}
const fetchHqs = async (user_id: number) =>
  checkedList<HqRecord>(
    await callGeneral<unknown>('GET', `get_hqs_from_user/?user_id=${encodeURIComponent(user_id)}`, {
      quiet: true,
    }),
  )

/** Rejects if the token is rejected, and on temporary faults, which say nothing about missing rights. */
export async function loadSession(profile: Profile): Promise<Session> {
  requireProfile(profile)
  const loaded = await fetchPerson(profile)
  const { user, hqs, incomplete } = loaded
  const roles: readonly Role[] = user && !incomplete ? rolesOf(profile, user, hqs) : ['ogf_init']
  requireRoles(roles)
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ') || profile.name || profile.email
  const activeHq = hqs.find((hq) => hq.fb_enabled) ?? null
  return { email: profile.email, name, groups: profile.groups, roles, user, hqs, activeHq, incomplete }
}

/** The identity provider's data must identify the person. */
export function requireProfile({ email }: Profile): void {
  if (email === '')
    throw new Error(t('Die Prüfung Ihrer Anmeldung ist fehlgeschlagen. Bitte melden Sie sich neu an.'))
}

/** Without a role there would be nothing to show, not even a way to sign out. */
export function requireRoles(roles: readonly Role[]): void {
  if (!Array.isArray(roles) || roles.length === 0)
    throw new Error(t('Für Ihr Konto ist keine Rolle eingetragen. Bitte wenden Sie sich an den Support.'))
}

/**
 * If one of the two calls is refused, the person counts as newly registered; the dashboard then offers a
 * retry.
 */
async function fetchPerson({
  email,
  userId,
}: Profile): Promise<{ user: UserData | null; hqs: HqRecord[]; incomplete: boolean }> {
  let user: UserData | null = null
  // If the provider supplies the number, both calls are made in parallel; the record then shows whether it
  // was right.
  const early = userId === null ? null : fetchHqs(userId)
  early?.catch(() => {})
  try {
    user = checkedList<UserData>(await rpc('__o_get_user_data', { email, id: '' }))[0] ?? null
    const hqs =
      user === null ? [] : await (user.user_id === userId && early !== null ? early : fetchHqs(user.user_id))
    return { user, hqs, incomplete: false }
  } catch (error) {
    if (error instanceof ApiError && (NO_SESSION.has(error.code) || passingOf(error) !== null)) throw error
    console.error('roles could not be loaded', error)
    return { user, hqs: [], incomplete: true }
  }
}

const rolesOf = ({ groups }: Profile, user: UserData, hqs: readonly HqRecord[]): Role[] =>
  deriveRoles({
    groups,
    system_status: user.system_status,
    apus_admin: user.apus_admin,
    apus_team: user.apus_team,
    pruefer: user.pruefer,
    kunden: user.kunden.map(({ rolle }) => rolle),
    hqs,
  })
