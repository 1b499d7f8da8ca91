// Accounts of the embedded provider, joined with what app.benutzer says about the person. Rights are never
// stored here.
import { foldAddress } from '#domain/mail-address.ts'
import { sidOf } from './artefacts.ts'
import type { IdpDatabase, Query } from './idp-database.ts'

/** Account and person as of now. */
export interface Account {
  readonly konto_id: string
  readonly email: string
  /** The person followed a link that only the mailbox received, or that the provider handed over. */
  readonly email_bestaetigt: boolean
  readonly pw_hash: string | null
  readonly must_change_pw: boolean
  readonly totp_secret: string | null
  readonly totp_confirmed: boolean
  readonly user_id: number | null
  readonly enabled: boolean
  readonly first_name: string | null
  readonly last_name: string | null
  readonly username: string | null
  readonly gruppe: string | null
  /** The person works for the provider. */
  readonly provider: boolean
  /** Seconds since 1970; sessions that began earlier have been ended. */
  readonly sessions_valid_after: number
}

const SELECT = `select k.konto_id, k.email, k.email_bestaetigt, k.pw_hash, k.must_change_pw, k.totp_secret,
  k.totp_confirmed_at is not null as totp_confirmed,
    l.user_id, coalesce(l.enabled, false) as enabled, l.first_name, l.last_name, l.username, l.gruppe,
    coalesce(l.zweiter_faktor_noetig, false) as provider,
    case when l.sessions_valid_after > '-infinity'
    then ceil(extract(epoch from l.sessions_valid_after))::bigint else 0 end as sessions_valid_after
  from idp.konto k left join lateral accounts.account_state(k.email) l on true`

export async function findById(db: IdpDatabase, accountId: string): Promise<Account | null> {
  // Ids from other issuers' tokens end up here too; a malformed one belongs to nobody.
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(accountId)) return null
  const { rows } = await db.once<Account>(`${SELECT} where k.konto_id = $1`, accountId)
  return rows[0] ?? null
}

export async function findByEmail(db: IdpDatabase, email: string): Promise<Account | null> {
  const { rows } = await db.once<Account>(
    `${SELECT} where accounts.fold_address(k.email) = $1`,
    foldAddress(email),
  )
  return rows[0] ?? null
}

/** The person behind an address, whether an account exists or not. */
export async function findPerson(
  query: Query,
  email: string,
): Promise<{ enabled: boolean; gruppe: string } | null> {
  const { rows } = await query<{ enabled: boolean; gruppe: string }>(
    'select enabled, gruppe from accounts.account_state($1)',
    email,
  )
  return rows[0] ?? null
}

/** Creates the account if the address has none yet. */
export async function ensureAccount(query: Query, email: string): Promise<string> {
  await query('insert into idp.konto (email) values ($1) on conflict do nothing', foldAddress(email))
  const { rows } = await query<{ konto_id: string }>(
    'select konto_id from idp.konto where accounts.fold_address(email) = $1',
    foldAddress(email),
  )
  const [found] = rows
  if (found === undefined) throw new Error('the account was deleted meanwhile')
  return found.konto_id
}

/** Unused links to set a password become void along with the former password. */
export async function storePassword(
  query: Query,
  accountId: string,
  pwHash: string,
  mustChange = false,
): Promise<void> {
  await query(
    'update idp.konto set pw_hash = $2, must_change_pw = $3, pw_changed_at = now() where konto_id = $1',
    accountId,
    pwHash,
    mustChange,
  )
  await query('delete from idp.einmal_link where konto_id = $1 and used_at is null', accountId)
}

/** For people who followed a link, and for the operator's own actions. */
export async function confirmEmail(query: Query, accountId: string): Promise<void> {
  await query(
    'update idp.konto set email_bestaetigt = true where konto_id = $1 and not email_bestaetigt',
    accountId,
  )
}

/**
 * Longer than any access token is accepted: the largest ACCESS_TTL_S plus the largest difference between
 * clocks.
 */
const LONGEST_TOKEN_S = 3_900

/**
 * Ends everything that was issued to the account. From the next call on the database refuses its access
 * tokens, both by time of issue and by session, because the clock of the server that issued them may be ahead
 * of the database's.
 */
export async function endSessions(query: Query, account: { konto_id: string; email: string }): Promise<void> {
  const { rows } = await query<{ uid: string | null }>(
    "delete from idp.artefakt where konto_id = $1 and model <> 'Interaction' returning " +
      "coalesce(payload ->> 'sessionUid', payload ->> 'uid') as uid",
    account.konto_id,
  )
  for (const uid of new Set(rows.map((row) => row.uid)))
    if (uid !== null) await query('select accounts.end_session($1, $2::integer)', sidOf(uid), LONGEST_TOKEN_S)
  await query('delete from idp.anmeldevorgang where konto_id = $1', account.konto_id)
  await query('select accounts.end_sessions($1)', account.email)
}

export const displayName = ({ first_name, last_name, email }: Account): string =>
  [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || email
