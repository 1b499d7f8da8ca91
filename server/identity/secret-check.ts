// Notices when the application's secret is not the one that the database was written with: the server is set
// up wrongly, or the secret is lost. In neither case does the server start; what can no longer be read is
// discarded only when the operator says so (npm run accept-secret).
import { randomUUID } from 'node:crypto'
import type { OwnerConnection } from '#server/database/database.ts'
import type { IdpDatabase, Query } from './idp-database.ts'
import type { Secrets } from './secrets.ts'

/** Longer than the pause between two signs of life. */
const ALIVE_S = 90

/** Its message is for the operator, like that of every fault with this name. */
export class SecretFault extends Error {
  override readonly name = 'OperatorFault'
}

/** Registers this process among the servers of the database. */
export class SignOfLife {
  readonly #db: IdpDatabase
  readonly #secrets: Secrets
  readonly #id = randomUUID()
  #isResealed = false
  constructor(db: IdpDatabase, secrets: Secrets) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Repeated while the server runs, so that a server with another secret notices. */
  async show(): Promise<void> {
    await this.#db.once(
      `insert into idp.artefakt (model, id_hash, uid_hash, payload, expires_at)
        values ('Server', $1, $2, '{}', now() + $3 * interval '1 second')
       on conflict (model, id_hash) do update set expires_at = excluded.expires_at`,
      this.#id,
      this.#secrets.fingerprint,
      String(ALIVE_S),
    )
    await this.#reseal()
  }

  /**
   * After a change of the secret, encrypts everything with the new one as soon as every server has it. Then
   * the former may be removed from the file.
   */
  async #reseal(): Promise<void> {
    if (
      this.#isResealed ||
      this.#secrets.cookieKeys.length < 2 ||
      (await hasOthers(this.#db.once, this.#secrets))
    )
      return
    for (const { table, column, where } of SEALED) {
      const { rows } = await this.#db.once<{ sealed: string }>(
        `select ${column} as sealed from ${table} where ${where}`,
      )
      for (const { sealed } of rows) {
        const again = this.#secrets.canOpen(sealed) ? this.#secrets.reseal(sealed) : null
        if (again !== null)
          await this.#db.once(`update ${table} set ${column} = $2 where ${column} = $1`, sealed, again)
      }
    }
    this.#isResealed = true
  }

  async end(): Promise<void> {
    await this.#db.once("delete from idp.artefakt where model = 'Server' and id_hash = $1", this.#id)
  }
}

/** What sign-in has encrypted (webhooks: server/webhooks/reseal.ts). `lasts`: it is lost with its secret. */
const SEALED = [
  { table: 'idp.geheimnis', column: 'siegel', where: 'true', lasts: true },
  { table: 'idp.schluessel', column: 'jwk', where: "zustand <> 'gesperrt'", lasts: true },
  { table: 'idp.konto', column: 'totp_secret', where: 'totp_secret is not null', lasts: true },
  { table: 'idp.post', column: 'siegel', where: 'siegel is not null', lasts: true },
  { table: 'idp.anmeldevorgang', column: 'totp_neu', where: 'totp_neu is not null', lasts: false },
] as const

/** Rejects with SecretFault if something was written with a secret that is not among these. */
export async function checkSecret(query: Query, secrets: Secrets): Promise<void> {
  if (await isReadable(query, secrets)) return
  throw new SecretFault((await hasOthers(query, secrets)) ? OTHER_SERVER : OTHER_SECRET)
}

/**
 * The same over the owner's connection, before a login is derived from the secret. `accepts`: a lost secret
 * is accepted, another server is not.
 */
export async function checkSecretAsOwner(
  owner: OwnerConnection,
  secrets: Secrets,
  accepts: boolean,
): Promise<void> {
  const query: Query = (text, ...values) => owner.query(text, values)
  await owner.script('begin; set local role forst_betrieb')
  try {
    if (!accepts || (await hasOthers(query, secrets))) await checkSecret(query, secrets)
  } finally {
    await owner.script('rollback')
  }
}

/** The secrets to work with, once they are known to be the right ones. */
export async function adoptSecret(
  db: IdpDatabase,
  given: Secrets,
): Promise<{ readonly life: SignOfLife; readonly secrets: Secrets }> {
  await checkSecret(db.once, given)
  await db.once(
    'insert into idp.geheimnis (siegel) values ($1) on conflict do nothing',
    given.encrypt(given.hashKey),
  )
  const { rows } = await db.once<{ siegel: string }>('select siegel from idp.geheimnis')
  const secrets = given.withHashKey(given.decrypt(rows[0]?.siegel ?? ''))
  const life = new SignOfLife(db, secrets)
  await life.show()
  return { life, secrets }
}

const OTHER_SERVER =
  'Ein anderer Server dieser Datenbank benutzt ein anderes Geheimnis. ' +
  'Alle Server brauchen dieselbe Datei (IDP_SECRET_FILE). ' +
  'Läuft der andere nicht mehr, bitte in zwei Minuten noch einmal starten.'
const OTHER_SECRET =
  'Die Daten der Anmeldung wurden mit einem anderen Geheimnis verschlüsselt: ' +
  'Bitte legen Sie die bisherige Datei zurück (IDP_SECRET_FILE) ' +
  'oder ihr Geheimnis als zweite Zeile ' +
  'in die neue; ist es verloren, verwirft „npm run accept-secret“ die zweiten Faktoren, und alle melden sich neu an.'

async function isReadable(query: Query, secrets: Secrets): Promise<boolean> {
  for (const { table, column, where } of SEALED.filter(({ lasts }) => lasts)) {
    const { rows } = await query<{ sealed: string }>(
      `select ${column} as sealed from ${table} where ${where}`,
    )
    if (!rows.every(({ sealed }) => secrets.canOpen(sealed))) return false
  }
  return true
}

async function hasOthers(query: Query, { fingerprint }: Secrets): Promise<boolean> {
  const { rowCount } = await query(
    "select 1 from idp.artefakt where model = 'Server' and uid_hash <> $1 and expires_at > now()",
    fingerprint,
  )
  return rowCount > 0
}

/**
 * Discards what the former secret protected, when the operator says so. Passwords stay, because they do not
 * depend on it. Returns how many second factors were removed; null: the secret is the right one.
 */
export async function discardUnreadable(db: IdpDatabase, secrets: Secrets): Promise<number | null> {
  if (await isReadable(db.once, secrets)) return null
  if (await hasOthers(db.once, secrets)) throw new SecretFault(OTHER_SERVER)
  return db.transaction(async (query) => {
    for (const table of [
      'geheimnis',
      'schluessel',
      'artefakt',
      'anmeldevorgang',
      'wiederherstellung',
      'sperre',
      'drossel',
      'post',
    ])
      await query(`delete from idp.${table}`)
    const { rowCount } = await query(
      'update idp.konto set totp_secret = null, totp_confirmed_at = null, ' +
        'totp_last_step = null where totp_secret is not null',
    )
    return rowCount
  })
}
