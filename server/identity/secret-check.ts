// Notices when the application's secret is not the one that the database was written with: a second server set up wrongly, or a restored database
// whose secret is lost. The first must not start; the second may, and what cannot be read any more is made anew.
import { randomUUID } from 'node:crypto'
import type { Log } from '#server/log.ts'
import type { IdpDatabase } from './idp-database.ts'
import type { Secrets } from './secrets.ts'

/** Longer than the pause between two signs of life. */
const ALIVE_S = 90

/** Written for the operator, like every fault of this name. */
export class SecretFault extends Error {
  override readonly name = 'OperatorFault'
}

/** This process among the servers of the database. */
export class SignOfLife {
  readonly #db: IdpDatabase
  readonly #secrets: Secrets
  readonly #id = randomUUID()
  constructor(db: IdpDatabase, secrets: Secrets) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Repeated while the server runs, so that one with another secret can tell. */
  async show(): Promise<void> {
    await this.#db.once(
      `insert into idp.artefakt (model, id_hash, uid_hash, payload, expires_at) values ('Server', $1, $2, '{}', now() + $3 * interval '1 second')
       on conflict (model, id_hash) do update set expires_at = excluded.expires_at`,
      this.#id,
      fingerprint(this.#secrets),
      String(ALIVE_S),
    )
  }

  async end(): Promise<void> {
    await this.#db.once("delete from idp.artefakt where model = 'Server' and id_hash = $1", this.#id)
  }
}

/** Rejects with SecretFault while a server with another secret is alive. */
export async function adoptSecret(db: IdpDatabase, secrets: Secrets, log: Log): Promise<SignOfLife> {
  const { rows } = await db.once<{ jwk: string }>("select jwk from idp.schluessel where zustand <> 'gesperrt'")
  if (rows.some(({ jwk }) => !isReadable(secrets, jwk))) {
    const others = await db.once(
      "select 1 from idp.artefakt where model = 'Server' and uid_hash <> $1 and expires_at > now()",
      fingerprint(secrets),
    )
    if (others.rowCount > 0) throw new SecretFault(OTHER_SECRET)
    await discard(db)
    log.warn('the secret of the sign-in has changed: everybody signs in again, second factors are set up anew')
  }
  const life = new SignOfLife(db, secrets)
  await life.show()
  return life
}

const OTHER_SECRET =
  'Ein anderer Server dieser Datenbank benutzt ein anderes Geheimnis. Alle Server brauchen dieselbe Datei (IDP_SECRET_FILE). ' +
  'Läuft der andere nicht mehr, bitte in zwei Minuten noch einmal starten.'

const fingerprint = (secrets: Secrets): string => secrets.keyedHash('server', '')

function isReadable(secrets: Secrets, sealed: string): boolean {
  try {
    secrets.decrypt(sealed)
    return true
  } catch {
    return false
  }
}

/** Passwords stay: they do not depend on the secret. */
async function discard(db: IdpDatabase): Promise<void> {
  await db.transaction(async (query) => {
    for (const table of ['schluessel', 'artefakt', 'anmeldevorgang', 'wiederherstellung', 'sperre', 'drossel'])
      await query(`delete from idp.${table}`)
    await query('update idp.konto set totp_secret = null, totp_confirmed_at = null, totp_last_step = null')
  })
}
