// Creates the database roles (docs/architecture.md) before the first migration; a second run changes nothing.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { withLogin } from '#server/database/address.ts'
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { OperatorFault } from './operator-fault.ts'

/**
 * Roles belong to the whole PostgreSQL server: another database's set-up may be creating them right now,
 * which is why the exceptions are caught.
 */
const ROLES = `do $$ declare name text; begin
  foreach name in array array['forst_definer', 'forst_betrieb', 'forst_idp', 'forst_dokument',
  'forst_karte', 'nutzer', 'programm'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then null; end;
    end if;
  end loop;
  if not exists (select from pg_roles where rolname = 'forst_api') then
    begin create role forst_api login noinherit; exception when duplicate_object or unique_violation then null; end;
  end if;
end $$`

/**
 * forst_api may switch to nutzer, programm (a nutzer with a key) and the server's own three; the owner works as
 * the last two. A superuser counts
 * as a member of everything.
 */
const MEMBERSHIPS = `do $$ declare pair text[]; begin
  foreach pair slice 1 in array array[['nutzer', 'forst_api'], ['forst_idp', 'forst_api'],
  ['forst_dokument', 'forst_api'], ['forst_karte', 'forst_api'], ['nutzer', 'programm'],
  ['programm', 'forst_api'], ['forst_definer', current_user],
  ['forst_betrieb', current_user]] loop
    if not pg_has_role(pair[2], pair[1], 'member') then
      begin execute format('grant %I to %I', pair[1], pair[2]);
      exception when unique_violation or internal_error then
        if not pg_has_role(pair[2], pair[1], 'member') then raise; end if;
      end;
    end if;
  end loop;
end $$`

/**
 * Requests are short, but row security makes plans look expensive enough for JIT compilation, which then
 * takes longer than the query (180 instead of 50 ms for a count of 100,000 trees). Operators who created the
 * roles by hand can do the same; where it is forbidden the setting stays as it is.
 */
const NO_JIT = `do $$ begin
  if not exists (select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
    where r.rolname = 'forst_api' and s.setdatabase = 0 and 'jit=off' = any (s.setconfig)) then
    alter role forst_api set jit = off;
  end if;
exception when insufficient_privilege or internal_error then null;
end $$`

export async function bootstrapRoles(owner: OwnerConnection): Promise<void> {
  try {
    await owner.script(ROLES)
    await owner.script(MEMBERSHIPS)
    await owner.script(NO_JIT)
  } catch (error) {
    if (!(error instanceof DatabaseFault) || error.code !== '42501') throw error
    throw new OperatorFault(
      `Die Datenbankrollen können nicht angelegt werden (${error.message}). ` +
        'Bitte dem Eigentümer das Recht dazu geben: ' +
        'ALTER ROLE <Eigentümer> CREATEROLE – oder die Rollen aus docs/operations.md von Hand anlegen.',
    )
  }
}

/** The password is never stored: every server derives it from its secret. */
const apiPassword = (secret: string) =>
  createHmac('sha256', secret).update('forstkontor: password of forst_api').digest('base64url')

/** Derived too, so that the same secret gives the same verifier. */
const apiSalt = (secret: string) =>
  createHmac('sha256', secret).update('forstkontor: salt of forst_api').digest().subarray(0, 16)

/** The address for requests, if only the owner's is configured. */
export const apiDatabaseUrl = (ownerUrl: string, secret: string): string =>
  withLogin(ownerUrl, 'forst_api', apiPassword(secret))

/** Gives forst_api the derived password unless it has it already. */
export async function ensureApiLogin(
  owner: OwnerConnection,
  ownerUrl: string,
  secret: string,
): Promise<void> {
  if (await canConnect(apiDatabaseUrl(ownerUrl, secret))) return
  // The verifier instead of the password: the statement may end up in PostgreSQL's log.
  await owner.script(`alter role forst_api password '${scramVerifier(apiPassword(secret), apiSalt(secret))}'`)
  if (await canConnect(apiDatabaseUrl(ownerUrl, secret))) return
  throw new OperatorFault(
    'Die Anmeldung als forst_api gelingt nicht. Bitte in pg_hba.conf die Anmeldung dieser Rolle mit ' +
      'scram-sha-256 erlauben ' +
      '– oder DATABASE_URL auf eine eigene Anmeldung dieser Rolle setzen und den Eigentümer in ' +
      'DATABASE_OWNER_URL nennen.',
  )
}

/** Only a refused login counts; an unreachable database is another fault. */
async function canConnect(url: string): Promise<boolean> {
  try {
    await (await createOwnerConnection(url)).close()
    return true
  } catch (error) {
    if (error instanceof DatabaseFault && error.code.startsWith('28')) return false
    throw error
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
