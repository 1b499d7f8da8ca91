// Where the OpenID provider keeps its sessions, grants, codes and tokens: rows of idp.artefakt, so that every
// server sees the same ones.
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { IdpDatabase } from './idp-database.ts'
import { hashToken } from './secrets.ts'

/** A refresh token that was just used is accepted again: two tabs may have asked at once. */
const AT_ONCE_S = 10
/**
 * Or the answer was lost: until a later token of the grant was used, which proves that one arrived. It must be longer
 * than another database server takes to take over (20 to 30 s), because a renewal whose end nobody knows is asked for
 * again after that. Later its reuse ends the family.
 */
const GRACE_S = 60

/** The ids of these are needed in clear (they are not secrets of the browser, or travel signed). */
const KEEPS_ID = new Set(['Grant'])

/** What the API may know of a session: its real id stays here. */
export const sidOf = (sessionUid: string): string => hashToken(`sid ${sessionUid}`)

export interface SessionTimes {
  readonly idleS: number
  readonly maxS: number
}

interface Row {
  payload: string
  consumed_at: number | null
  expires_at: number
  now: number
  /** A later token of its grant has been used. */
  overtaken: boolean
}

export class ArtefactAdapter implements Adapter {
  readonly #model: string
  readonly #db: IdpDatabase
  readonly #times: SessionTimes

  constructor(model: string, db: IdpDatabase, times: SessionTimes) {
    this.#model = model
    this.#db = db
    this.#times = times
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    await this.#db.once(
      `insert into idp.artefakt (model, id_hash, payload, konto_id, grant_hash, uid_hash, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
       on conflict (model, id_hash) do update set payload = excluded.payload, konto_id = excluded.konto_id,
         grant_hash = excluded.grant_hash,
         uid_hash = excluded.uid_hash, expires_at = excluded.expires_at`,
      this.#model,
      hashToken(id),
      JSON.stringify(this.#withoutSecrets(payload)),
      payload.accountId ?? null,
      payload.grantId === undefined ? null : hashToken(payload.grantId),
      payload.uid === undefined ? null : hashToken(payload.uid),
      String(expiresIn),
    )
    if (this.#model === 'RefreshToken' && typeof payload['sessionUid'] === 'string')
      await this.#keepSession(payload['sessionUid'])
  }

  /**
   * Work in the app counts as use of the session. It ends when neither was used for the idle time, and at the
   * latest at its absolute end.
   */
  async #keepSession(uid: string): Promise<void> {
    await this.#db.once(
      `update idp.artefakt set expires_at = greatest(expires_at, least(now() + $2 * interval '1 second',
         to_timestamp((payload ->> 'loginTs')::double precision) + $3 * interval '1 second'))
       where model = 'Session' and uid_hash = $1 and expires_at > now()`,
      hashToken(uid),
      String(this.#times.idleS),
      String(this.#times.maxS),
    )
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const stored = await this.#read('id_hash', id)
    return stored === undefined ? undefined : { ...stored, jti: id }
  }

  /** Asked only whether the session is alive and whose it is; its cookie is not known here. */
  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#read('uid_hash', uid)
  }

  async findByUserCode(): Promise<undefined> {}

  async #read(column: 'id_hash' | 'uid_hash', key: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.#db.once<Row>(
      `select payload::text as payload, extract(epoch from consumed_at)::bigint as consumed_at,
         ceil(extract(epoch from expires_at))::bigint as expires_at,
         floor(extract(epoch from now()))::bigint as now,
         exists (
           select from idp.artefakt later
           where later.model = a.model and later.grant_hash = a.grant_hash and later.consumed_at > a.consumed_at
         ) as overtaken
       from idp.artefakt a where model = $1 and ${column} = $2 and expires_at > now()`,
      this.#model,
      hashToken(key),
    )
    const row = rows[0]
    if (row === undefined) return undefined
    const payload = JSON.parse(row.payload) as AdapterPayload
    if (this.#model === 'Session') payload.exp = row.expires_at
    const grace = row.overtaken ? AT_ONCE_S : GRACE_S
    const inGrace =
      this.#model === 'RefreshToken' && row.consumed_at !== null && row.now - row.consumed_at < grace
    if (row.consumed_at !== null && !inGrace) payload.consumed = row.consumed_at
    return payload
  }

  /** Only the first use counts; otherwise repeating it would extend the grace period. */
  async consume(id: string): Promise<void> {
    await this.#db.once(
      'update idp.artefakt set consumed_at = coalesce(consumed_at, now()) where model = $1 and id_hash = $2',
      this.#model,
      hashToken(id),
    )
  }

  async destroy(id: string): Promise<void> {
    await this.#db.once(
      'delete from idp.artefakt where model = $1 and id_hash = $2',
      this.#model,
      hashToken(id),
    )
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.once(
      'delete from idp.artefakt where model = $1 and grant_hash = $2',
      this.#model,
      hashToken(grantId),
    )
  }

  /** A copied database must not contain anything that signs anyone in. */
  #withoutSecrets(payload: AdapterPayload): Record<string, unknown> {
    const { jti, ...rest } = payload
    const session = rest['session'] as { cookie?: string } | undefined
    if (session?.cookie !== undefined) {
      const { cookie: _cookie, ...others } = session
      rest['session'] = others
    }
    return KEEPS_ID.has(this.#model) ? { ...rest, jti } : rest
  }
}

/** Deletes expired rows from all of the provider's tables that grow. */
export async function deleteExpired(db: IdpDatabase): Promise<void> {
  await db.once('delete from idp.artefakt where expires_at < now()')
  await db.once('delete from idp.anmeldevorgang where expires_at < now()')
  await db.once('delete from idp.drossel where fenster < extract(epoch from now()) / 60 - 70')
  await db.once("delete from idp.post where zustand <> 'wartet' and erstellt < now() - interval '2 days'")
  await db.once(
    "delete from idp.sperre where letzter < now() - interval '24 hours' and coalesce(gesperrt_bis, letzter) < now()",
  )
  await db.once("delete from idp.einmal_link where expires_at < now() - interval '30 days'")
}
