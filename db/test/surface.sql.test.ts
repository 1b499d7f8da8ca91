// Lists the whole database surface and checks rules against the catalogue: nothing is published by accident,
// nothing left open.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { NOUNS } from './nouns.ts'

/** Privileges of nutzer on the tables of schema app; with columns where the grant names them. */
const TABLES = [
  'benutzer SELECT',
  'benutzer_hq SELECT',
  'benutzer_kunde SELECT',
  'gutschein DELETE',
  'gutschein INSERT(rabatt_abo,rabatt_kawm,expire_date,laufzeit)',
  'gutschein SELECT',
  'hq INSERT(client_id,sHQ,fb_enabled,dtFE,dcFLAEHB)',
  'hq SELECT',
  'hq UPDATE(sHQ,fb_enabled,dtFE,dcFLAEHB,ebenen)',
  'hq_flaeche DELETE',
  'hq_flaeche INSERT(hqid,client_id,geom)',
  'hq_flaeche SELECT',
  'hq_flaeche UPDATE(geom)',
  'import_lauf DELETE',
  'import_lauf INSERT(dateiname,doppelte)',
  'import_lauf SELECT',
  'import_lauf UPDATE(zustand,bericht)',
  'import_zeile DELETE',
  'import_zeile INSERT(user_id,import_id,zeile,werte)',
  'import_zeile SELECT',
  'import_zeile UPDATE(werte)',
  'import_zuordnung DELETE',
  'import_zuordnung INSERT(kopf,felder)',
  'import_zuordnung SELECT',
  'import_zuordnung UPDATE(felder,geaendert_am)',
  'kunde INSERT(name,name_zusatz,strasse,plz,ort,bundesland,epsg,ap_gender,ap_vorname,ap_nachname,ap_tel,land)',
  'kunde SELECT',
  'kunde UPDATE(name,name_zusatz,strasse,plz,ort,bundesland,epsg,' +
    'ap_gender,ap_vorname,ap_nachname,ap_tel,ordner,kataster_status,land)',
  'kunde_hq SELECT',
  'kunde_hq UPDATE(fe_enabled,basis_fe_enabled,kawm_enabled,kawm_area,kawm_approval_date,kawm_custom_area_enabled)',
  'verlauf SELECT',
]

/**
 * Functions that run with the rights of forst_definer; the reason for each is given above it in its noun's
 * file.
 */
const DEFINERS = [
  'accounts.derive_kataster',
  'app.__o_change_app_status',
  'app.__o_connect_user_to_hq',
  'app.__o_disconnect_user_from_hq',
  'app.__o_update_user',
  'app.a_add_user',
  'app.a_add_user_to_client',
  'app.a_get_user_exists',
  'app.a_remove_user_from_client',
  'app.a_set_hq_status',
  'app.a_set_kunde_rolle',
  'app.a_set_system_status',
  'app.a_set_user_enabled',
  'app.a_set_user_flags',
  'forest.add_switches',
  'forest.check_area',
  'accounts.check_last_admin',
  'rights.check_request',
  'accounts.check_may_manage',
  'accounts.end_sessions',
  'accounts.end_sessions_of_changed',
  'accounts.create_first_admin',
  'accounts.free_db_role',
  'rights.hqs_as',
  'rights.caller',
  'accounts.account_state',
  'rights.kunden_as',
  'accounts.link_identity',
  'rights.may_manage',
  'forest.move_areas',
  'accounts.move_identities',
  'rights.people',
  'history.record_change',
  'rights.roles',
  'rights.user_id',
]

/** Tables without a customer key: they belong to a person or to the provider. */
const PERSONAL = ['benutzer', 'gutschein', ...NOUNS.flatMap(({ personal }) => personal ?? [])]

/** The schemas of helpers, as policies name them. */
const HELPERS =
  '(rights|checks|history|accounts|search|abo|books|dispatch|forest|maps|notices|privacy|imports|notes)'
/** Rules as queries for offenders; each must return nothing. */
const LINT: Record<string, string> = {
  'row security is on': `select c.oid::regclass::text as culprit from pg_class c
    where c.relkind in ('r', 'p') and not c.relrowsecurity and ours(c.relnamespace)`,
  'row security is forced': `select c.oid::regclass::text as culprit from pg_class c
    where c.relkind in ('r', 'p') and not c.relforcerowsecurity and ours(c.relnamespace)
     and c.relnamespace <> 'betrieb'::regnamespace`,
  // The records of the migrator and of dumps are written by the owner and granted to no role that answers
  // requests.
  'the records of operations are closed': `select c.oid::regclass || ' ' || a.grantee::regrole as culprit
    from pg_class c, aclexplode(c.relacl) a
     where c.relnamespace = 'betrieb'::regnamespace and a.grantee not in (c.relowner, 'forst_betrieb'::regrole)`,
  'every published table has a policy for nutzer': `select c.oid::regclass::text as culprit from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'app'::regnamespace
     and not exists (select from pg_policy p where p.polrelid = c.oid and 'nutzer'::regrole = any (p.polroles))`,
  'no policy is meant for PUBLIC': `select polrelid::regclass || '.' || polname as culprit from pg_policy
    where 0 = any (polroles)`,
  'no policy of nutzer lets everything through': `select polrelid::regclass || '.' || polname as culprit from pg_policy
     where 'nutzer'::regrole = any (polroles) and (coalesce(pg_get_expr(polqual, polrelid), '') in ('true',
       '(true)') or coalesce(pg_get_expr(polwithcheck, polrelid), '') in ('true', '(true)'))`,
  'policies ask once per query: each call is in a subselect': `select polrelid::regclass || '.'
    || polname as culprit from pg_policy
     where 'nutzer'::regrole = any (polroles)
       and concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) ~ '${HELPERS}\\.'
     and concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) !~ 'SELECT ${HELPERS}\\.'`,
  'views ask as the caller': `select c.oid::regclass::text as culprit from pg_class c where c.relkind = 'v'
    and ours(c.relnamespace) and not coalesce(c.reloptions @> '{security_invoker=true}', false)`,
  'no materialised view': `select c.oid::regclass::text as culprit from pg_class c
    where c.relkind = 'm' and ours(c.relnamespace)`,
  // Except SQL functions with the caller's rights whose body was parsed at creation: they look up nothing at
  // run time.
  'every function pins its search_path': `select p.oid::regprocedure::text as culprit from pg_proc p
    where ours(p.pronamespace) and not coalesce(p.proconfig::text ~ 'search_path=', false)
    and (p.prosqlbody is null or p.prosecdef)`,
  'no function of ours is open to PUBLIC': `select p.oid::regprocedure::text as culprit
    from pg_proc p where ours(p.pronamespace)
    and (p.proacl is null or exists (select from aclexplode(p.proacl) a where a.grantee = 0))`,
  'no table of ours is open to PUBLIC': `select c.oid::regclass::text as culprit
    from pg_class c, aclexplode(c.relacl) a where ours(c.relnamespace) and a.grantee = 0`,
  // A session that has prepared a statement under another role would not notice.
  'a grant is worth something: its role reaches the schema': `select a.grantee::regrole || ' ' || p.oid::regprocedure
      as culprit from pg_proc p, aclexplode(p.proacl) a
    where ours(p.pronamespace) and a.grantee <> 0
      and not has_schema_privilege(a.grantee, p.pronamespace, 'usage')
    union all select a.grantee::regrole || ' ' || c.oid::regclass from pg_class c, aclexplode(c.relacl) a
      where ours(c.relnamespace) and a.grantee <> 0
        and not has_schema_privilege(a.grantee, c.relnamespace, 'usage')`,
  'definer functions belong to forst_definer': `select p.oid::regprocedure::text as culprit from pg_proc p
    where ours(p.pronamespace) and p.prosecdef and p.proowner <> 'forst_definer'::regrole`,
  'forst_definer owns no table and may not log in': `select c.oid::regclass::text as culprit from pg_class c
    where c.relkind in ('r', 'p', 'v') and c.relowner = 'forst_definer'::regrole
     union all select rolname from pg_roles where rolname in ('forst_definer', 'forst_betrieb', 'nutzer',
       'forst_idp', 'forst_dokument', 'forst_karte') and (rolcanlogin or rolsuper or rolbypassrls)`,
  'the login owns nothing and holds no right on a table': `select c.oid::regclass::text as culprit
    from pg_class c where c.relowner = 'forst_api'::regrole
     union all select c.oid::regclass::text from pg_class c, aclexplode(c.relacl) a
       where ours(c.relnamespace) and a.grantee = 'forst_api'::regrole`,
  'the login takes on no role by itself': `select rolname::text as culprit from pg_roles
    where rolname = 'forst_api' and (rolinherit or rolsuper or rolbypassrls or rolcreaterole)`,
  'nobody may empty, refer to or hang triggers on a table': `select c.oid::regclass || ' '
    || a.privilege_type as culprit from pg_class c, aclexplode(c.relacl) a
     where ours(c.relnamespace) and a.grantee in ('nutzer'::regrole,
       'forst_definer'::regrole, 'forst_dokument'::regrole, 'forst_karte'::regrole)
       and a.privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER')`,
  'set_config is closed': `select 'set_config' as culprit
    where has_function_privilege('nutzer', 'pg_catalog.set_config(text, text, boolean)', 'execute')`,
  'nutzer creates nothing': `select nspname::text as culprit from pg_namespace
    where has_schema_privilege('nutzer', oid, 'create') and nspname !~ '^pg_temp'`,
  'one procedure per name': `select proname::text as culprit from pg_proc
    where pronamespace = 'app'::regnamespace group by proname having count(*) > 1`,
  'every table of a tenant carries its key': `select c.oid::regclass::text as culprit from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'app'::regnamespace
     and c.relname not in (${PERSONAL.map((name) => `'${name}'`).join(', ')}) and c.relname !~ '^import_'
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id')`,
  'foreign keys are indexed': `select k.conrelid::regclass || ' ' || k.conname as culprit from pg_constraint k
    where k.contype = 'f' and ours(k.connamespace)
     and not exists (select from pg_index i where i.indrelid = k.conrelid
       and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
       and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] <@ k.conkey)`,
}

const OURS = `create function pg_temp.ours(schema oid) returns boolean language sql as $$
  select schema::regnamespace::text = any (rights.schemas() ||'{idp, betrieb}') $$`

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`surface on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await engine.owner.script(OURS)
    })
    afterAll(() => engine?.close())

    const culprits = async (query: string) =>
      (await engine.owner.query<{ culprit: string }>(query.replaceAll('ours(', 'pg_temp.ours('))).rows
        .map((row) => row.culprit)
        .sort()

    test('a signed-in user may touch exactly this', async () => {
      const tables = await culprits(`select c.relname || ' ' || a.privilege_type as culprit
          from pg_class c, aclexplode(c.relacl) a where c.relnamespace = 'app'::regnamespace
          and c.relkind in ('r', 'v') and a.grantee = 'nutzer'::regrole
        union all select c.relname || ' ' || x.privilege_type || '(' || string_agg(t.attname, ',' order by t.attnum)
          || ')' from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) x
          where c.relnamespace = 'app'::regnamespace and x.grantee = 'nutzer'::regrole
            group by c.relname, x.privilege_type`)
      expect(tables).toEqual([...TABLES, ...NOUNS.flatMap((noun) => noun.tables ?? [])].sort())
    })

    test('these functions and no other run with more rights than the caller’s', async () => {
      const definers = await culprits(
        `select p.pronamespace::regnamespace || '.' || p.proname as culprit from pg_proc p
         where p.prosecdef and p.pronamespace::regnamespace::text = any (rights.schemas() ||'{idp, betrieb}')`,
      )
      expect(definers).toEqual([...DEFINERS, ...NOUNS.flatMap((noun) => noun.definers ?? [])].sort())
    })

    for (const [rule, query] of Object.entries(LINT))
      test(rule, async () => expect(await culprits(query)).toEqual([]))

    test('the server’s login reads nothing without a role switch', async () => {
      for (const relation of ['app.kunde', 'app.benutzer', 'accounts.identitaet'])
        await expect(
          engine.api.once({ role: 'forst_api' }, { text: `select from ${relation}` }),
        ).rejects.toMatchObject({ code: '42501' })
    })

    test('claims cannot be exchanged from within an expression', async () => {
      const statement = { text: `select set_config('request.jwt.claims', '{"sub":"admin"}', true)` }
      await expect(engine.api.once({ role: 'nutzer' }, statement)).rejects.toMatchObject({ code: '42501' })
    })
  })
