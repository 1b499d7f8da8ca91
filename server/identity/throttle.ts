// Slows down guessing: limits requests per network address, and failures per account and, for browsers that
// its owner used before, per browser. Counted in the database, so that more servers do not allow more
// attempts.
import { foldAddress } from '#domain/mail-address.ts'
import { subnetOf } from '#server/subnet.ts'
import type { IdpDatabase, Query } from './idp-database.ts'
import type { Secrets } from './secrets.ts'

export interface ThrottleOptions {
  readonly db: IdpDatabase
  readonly secrets: Secrets
  readonly perMinute: number
  readonly lockAfter: number
}

/** Seconds: how long the address was locked already; how long this attempt locks it if it fails. */
export interface Attempt {
  readonly locked: number
  readonly lock: number
}

const FIRST_LOCK_S = 60
const LONGEST_LOCK_S = 900
/** Failures are forgotten after this time without another one. */
const FORGET_H = 12

export class Throttle {
  readonly #options: ThrottleOptions
  constructor(options: ThrottleOptions) {
    this.#options = options
  }

  /** Counts a request; returns 0, or the seconds until the next one is accepted. */
  async admit(address: string, kind = 'anmeldung', perMinute = this.#options.perMinute): Promise<number> {
    const { db, secrets } = this.#options
    const { rows } = await db.once<{ anzahl: number; rest: number }>(
      `insert into idp.drossel (schluessel, fenster, anzahl)
        values ($1, floor(extract(epoch from now()) / 60)::bigint, 1)
       on conflict (schluessel, fenster) do update set anzahl = drossel.anzahl + 1
       returning anzahl, (60 - floor(extract(epoch from now()))::bigint % 60)::integer as rest`,
      secrets.keyedHash(`drossel ${kind}`, subnetOf(address)),
    )
    const row = rows[0]
    return row !== undefined && row.anzahl > perMinute ? Math.max(1, row.rest) : 0
  }

  /** The same over the last hour; every request counts, whatever its result. */
  async admitInHour(address: string, kind: string, perHour: number): Promise<number> {
    await this.admit(address, kind, perHour)
    const { rows } = await this.#options.db.once<{ rest: number }>(
      `select ((w.fenster + 61) * 60 - floor(extract(epoch from now())))::integer as rest from (
         select fenster, sum(anzahl) over (order by fenster desc) as seit from idp.drossel
           where schluessel = $1 and fenster > floor(extract(epoch from now()) / 60) - 60) w
       where w.seit > $2::integer order by w.fenster desc limit 1`,
      this.#options.secrets.keyedHash(`drossel ${kind}`, subnetOf(address)),
      perHour,
    )
    return Math.max(0, rows[0]?.rest ?? 0)
  }

  /**
   * Seconds the account stays locked for this browser (`device`: see Devices; null: unknown); 0 if it is
   * open.
   */
  async #lockedFor(email: string, device: string | null): Promise<number> {
    const { rows } = await this.#options.db.once<{ rest: number }>(
      'select ceil(extract(epoch from gesperrt_bis - now()))::integer as rest from idp.sperre where ' +
        'schluessel = $1 and gesperrt_bis > now()',
      this.#key(email, device),
    )
    return rows[0]?.rest ?? 0
  }

  /** The longest lock of the account, in any browser. */
  async longestLock(email: string): Promise<number> {
    const { rows } = await this.#options.db.once<{ rest: number }>(
      `select coalesce(max(ceil(extract(epoch from gesperrt_bis - now()))), 0)::integer as rest from idp.sperre
       where (schluessel = $1 or starts_with(schluessel, $1 || ':')) and gesperrt_bis > now()`,
      this.#key(email, null),
    )
    return rows[0]?.rest ?? 0
  }

  /**
   * Counts an attempt as a failure before anything is compared, so that of many at once no more are compared than
   * one after another. It makes no difference whether the address has an account.
   */
  async take(email: string, device: string | null): Promise<Attempt> {
    const { db, lockAfter } = this.#options
    const { rows } = await db.once<{ rest: number }>(
      `insert into idp.sperre as s (schluessel, fehlversuche, letzter, gesperrt_bis)
        values ($1, 1, now(), case when $2::integer <= 1 then now() + $3 * interval '1 second' end)
       on conflict (schluessel) do update set letzter = now(),
         fehlversuche = case when s.letzter < now() - $5 * interval '1 hour' then 1 else s.fehlversuche + 1 end,
         gesperrt_bis = case when s.letzter >= now() - $5 * interval '1 hour' and s.fehlversuche + 1 >= $2::integer
           then now() + least($4, $3 * 2 ^ least(s.fehlversuche + 1 - $2::integer, 10)) * interval '1 second' end
         where s.gesperrt_bis is null or s.gesperrt_bis <= now()
       returning coalesce(ceil(extract(epoch from gesperrt_bis - now())), 0)::integer as rest`,
      this.#key(email, device),
      lockAfter,
      String(FIRST_LOCK_S),
      String(LONGEST_LOCK_S),
      String(FORGET_H),
    )
    const [taken] = rows
    if (taken !== undefined) return { locked: 0, lock: taken.rest }
    return { locked: Math.max(1, await this.#lockedFor(email, device)), lock: 0 }
  }

  /** Takes an attempt off the count again: it was right, or nothing was compared. */
  async giveBack(email: string, device: string | null, { locked, lock }: Attempt): Promise<void> {
    if (locked > 0) return
    await this.#options.db.once(
      `update idp.sperre set fehlversuche = greatest(fehlversuche - 1, 0),
         gesperrt_bis = case when $2::integer = 0 then gesperrt_bis end
       where schluessel = $1`,
      this.#key(email, device),
      lock,
    )
  }

  /** An attempt does not count if nothing was compared: the queue is full, the database away. */
  async comparing<T>(
    email: string,
    device: string | null,
    attempt: Attempt,
    compare: () => Promise<T>,
  ): Promise<T> {
    try {
      return await compare()
    } catch (error) {
      await this.giveBack(email, device, attempt).catch(() => undefined)
      throw error
    }
  }

  /**
   * After a success, clears only this browser's failures; otherwise the owner's sign-ins would give strangers
   * new attempts.
   */
  async succeed(query: Query, email: string, device: string | null): Promise<void> {
    await query('delete from idp.sperre where schluessel = $1', this.#key(email, device))
  }

  /** For when an admin unlocks the account, or the password is new. */
  async forget(query: Query, email: string): Promise<void> {
    await query(
      "delete from idp.sperre where schluessel = $1 or starts_with(schluessel, $1 || ':')",
      this.#key(email, null),
    )
  }

  #key(email: string, device: string | null): string {
    const key = this.#options.secrets.keyedHash('sperre', foldAddress(email.trim()))
    return device === null ? key : `${key}:${device}`
  }
}
