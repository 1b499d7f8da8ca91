// One-time links: invitation, new password, first set-up. Only their SHA-256 is stored; a new link voids the
// earlier ones of its kind.
import type { IdpDatabase, Query } from './idp-database.ts'
import { hashToken, randomToken } from './secrets.ts'

export type LinkKind = 'einladung' | 'passwort' | 'einrichtung'

export const LIFETIME_MIN: Readonly<Record<LinkKind, number>> = {
  einladung: 7 * 24 * 60,
  passwort: 60,
  einrichtung: 60,
}

export interface IssuedLink {
  readonly link: string
  readonly expires: Date
}

export interface FoundLink {
  readonly art: LinkKind
  readonly konto_id: string | null
  /** Address of the account, or the address that a set-up link is bound to. */
  readonly email: string | null
  readonly usable: boolean
}

const PATHS: Readonly<Record<LinkKind, string>> = {
  einladung: 'passwort',
  passwort: 'passwort',
  einrichtung: 'einrichten',
}

export async function issueLink(
  query: Query,
  origin: string,
  link: { art: LinkKind; accountId: string | null; email?: string | null },
): Promise<IssuedLink> {
  const token = randomToken()
  await query(
    'delete from idp.einmal_link where art = $1 and konto_id is not distinct from $2::uuid',
    link.art,
    link.accountId,
  )
  const { rows } = await query<{ expires: number }>(
    `insert into idp.einmal_link (link_hash, art, konto_id, email, expires_at)
      values ($1, $2, $3, $4, now() + $5 * interval '1 minute')
     returning floor(extract(epoch from expires_at))::bigint as expires`,
    hashToken(token),
    link.art,
    link.accountId,
    link.email ?? null,
    String(LIFETIME_MIN[link.art]),
  )
  return {
    link: `${origin}/anmelden/${PATHS[link.art]}/${token}`,
    expires: new Date((rows[0]?.expires ?? 0) * 1000),
  }
}

const SELECT = `select l.art, l.konto_id, coalesce(k.email, l.email) as email, l.used_at is null
  and l.expires_at > now() as usable
  from idp.einmal_link l left join idp.konto k using (konto_id) where l.link_hash = $1`

/** Looking at a link does not use it up, because mail programs open links too. */
export async function findLink(db: IdpDatabase, token: string): Promise<FoundLink | null> {
  const { rows } = await db.once<FoundLink>(SELECT, hashToken(token))
  return rows[0] ?? null
}

/**
 * Uses up a link within a transaction; null if it was used or has expired. Of two attempts at once only one
 * succeeds.
 */
export async function spendLink(query: Query, token: string): Promise<FoundLink | null> {
  const { rowCount } = await query(
    'update idp.einmal_link set used_at = now() where link_hash = $1 and used_at is null and expires_at > now()',
    hashToken(token),
  )
  if (rowCount !== 1) return null
  const { rows } = await query<FoundLink>(SELECT, hashToken(token))
  return rows[0] ?? null
}
