// The login of requests, if only the owner's address is configured: forst_api with a password derived from the
// secret. It belongs to the whole PostgreSQL server, so it is changed only when nobody else can be using it.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { withLogin } from '#server/database/address.ts'
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { OperatorFault } from './operator-fault.ts'

/** The password is never stored: every server derives it from its secret. */
const apiPassword = (secret: string) =>
  createHmac('sha256', secret).update('forstkontor: password of forst_api').digest('base64url')

/** Derived too, so that the same secret gives the same verifier. */
const apiSalt = (secret: string) =>
  createHmac('sha256', secret).update('forstkontor: salt of forst_api').digest().subarray(0, 16)

/** The addresses for requests, one for each secret. */
export const apiAddresses = (ownerUrl: string, secrets: readonly string[]): string[] =>
  secrets.map((secret) => withLogin(ownerUrl, 'forst_api', apiPassword(secret)))

/**
 * Gives forst_api the password of the newest secret unless that of one of them is valid already: other servers
 * work with it, and with a changed one those that know only a former secret could not connect any more.
 * @returns the addresses for requests, the valid one first
 */
export async function ensureApiLogin(
  owner: OwnerConnection,
  ownerUrl: string,
  secrets: readonly string[],
): Promise<string[]> {
  const addresses = apiAddresses(ownerUrl, secrets)
  // oxlint-disable-next-line no-await-in-loop -- the first is nearly always valid
  for (const address of addresses) if (await canConnect(address)) return validFirst(address, addresses)
  await checkUnused(owner)
  await changePassword(owner, secrets[0] ?? '')
  if (await canConnect(addresses[0] ?? ownerUrl)) return addresses
  throw refusedByRules()
}

const refusedByRules = (): OperatorFault =>
  new OperatorFault(
    'Die Anmeldung als forst_api gelingt nicht. Bitte in pg_hba.conf die Anmeldung dieser Rolle mit ' +
      'scram-sha-256 erlauben ' +
      '– oder DATABASE_URL auf eine eigene Anmeldung dieser Rolle setzen und den Eigentümer in ' +
      'DATABASE_OWNER_URL nennen.',
  )

const validFirst = (valid: string, addresses: readonly string[]): string[] => [
  valid,
  ...addresses.filter((address) => address !== valid),
]

const OWN_PASSWORD =
  'das Passwort von forst_api selbst vergeben und DATABASE_URL mit dieser Rolle und ihrem Passwort, ' +
  'DATABASE_OWNER_URL mit dem Eigentümer setzen'

/** Servers that use another database of this cluster as forst_api would be locked out by another password. */
async function checkUnused(owner: OwnerConnection): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select datname as name from pg_catalog.pg_stat_activity
      where usename = 'forst_api' and datname <> pg_catalog.current_database() limit 1`,
  )
  const [other] = rows
  if (other === undefined) return
  throw new OperatorFault(
    'Kein Geheimnis dieser Anlage passt zum Passwort von forst_api, und mit dieser Rolle arbeitet auf ' +
      `demselben PostgreSQL-Server gerade eine andere Anlage (Datenbank „${other.name}“); ` +
      'ein neues Passwort würde sie aussperren. Es wurde nichts geändert. ' +
      `Bitte jeder Anlage einen eigenen PostgreSQL-Server geben – oder in beiden ${OWN_PASSWORD}.`,
  )
}

async function changePassword(owner: OwnerConnection, secret: string): Promise<void> {
  try {
    // The verifier instead of the password: the statement may end up in PostgreSQL's log.
    await owner.script(
      `alter role forst_api password '${scramVerifier(apiPassword(secret), apiSalt(secret))}'`,
    )
  } catch (error) {
    if (!(error instanceof DatabaseFault) || error.code !== '42501') throw error
    throw new OperatorFault(
      `Der Eigentümer der Datenbank darf das Passwort von forst_api nicht ändern (${error.message}). ` +
        'Hat ein anderer Eigentümer dieses Servers die Rolle angelegt, einmal als Superuser: ' +
        `GRANT forst_api TO <Eigentümer> WITH ADMIN OPTION – oder ${OWN_PASSWORD}.`,
    )
  }
}

/**
 * Only a refused password counts; an unreachable database is another fault, and where no password could help none is
 * changed.
 */
async function canConnect(url: string): Promise<boolean> {
  try {
    await (await createOwnerConnection(url)).close()
    return true
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error
    if (error.code === '28P01') return false
    throw error.code.startsWith('28') ? refusedByRules() : error
  }
}

/** What PostgreSQL stores for a password (RFC 5803). */
export function scramVerifier(password: string, salt: Buffer): string {
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const key = (label: string) => createHmac('sha256', salted).update(label).digest()
  const stored = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`
}
