// Creates the database roles (docs/architecture.md) before the first migration; a second run changes nothing.
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
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
 * the last two and owns what they own, and a programm has what nutzer has. A superuser counts as a member of
 * everything. Since PostgreSQL 16 who creates a role is its member only to administer it: neither switching to
 * it nor its rights come with that, and both are said here.
 */
const MEMBERSHIPS = `do $$ declare
  pair text[];
  modern boolean := current_setting('server_version_num')::integer >= 160000;
  switches text := case when modern then 'set' else 'member' end;
  inherits boolean;
begin
  foreach pair slice 1 in array array[['nutzer', 'forst_api'], ['forst_idp', 'forst_api'],
  ['forst_dokument', 'forst_api'], ['forst_karte', 'forst_api'], ['nutzer', 'programm'],
  ['programm', 'forst_api'], ['forst_definer', current_user],
  ['forst_betrieb', current_user]] loop
    inherits := modern and pair[2] <> 'forst_api';
    if not pg_has_role(pair[2], pair[1], switches)
      or inherits and not pg_has_role(pair[2], pair[1], 'usage') then
      begin
        execute format('grant %I to %I', pair[1], pair[2])
          || case when modern then format(' with set true, inherit %s', inherits::text) else '' end;
      exception when unique_violation or internal_error then
        if not pg_has_role(pair[2], pair[1], switches) then raise; end if;
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
        'ALTER ROLE <Eigentümer> CREATEROLE – oder die Rollen aus docs/operations.md von Hand anlegen. ' +
        'Hat ein anderer Eigentümer dieses Servers sie angelegt, einmal als Superuser: ' +
        'GRANT forst_definer, forst_betrieb TO <Eigentümer>.',
    )
  }
}
