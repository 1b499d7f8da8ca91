-- People as the provider's admins see them: a list of everybody, and changes of personal data. The other
-- functions on people are in benutzer.sql.

-- Definer: the table of identities is closed to nutzer. When the person first signed in; null if never. Only
-- for the view below, where row security has already filtered the people.
create or replace function accounts.first_sign_in(person bigint)
  returns timestamptz language plpgsql stable set search_path = pg_catalog as $$
begin
  return (
    select i.linked_at
    from accounts.identitaet i
    where i.user_id = person and i.iss <> 'geloescht'
  );
end $$;
select rights.define('accounts.first_sign_in(bigint)');
grant execute on function accounts.first_sign_in(bigint) to nutzer;

-- Definer: as above. Everybody who has signed in at least once, as a set for a hash join; a call per person
-- takes seconds for 100,000.
create or replace function accounts.ever_signed_in()
  returns setof bigint language sql stable set search_path = pg_catalog as $$
  select i.user_id from accounts.identitaet i where i.iss <> 'geloescht'
$$;
select rights.define('accounts.ever_signed_in()');
grant execute on function accounts.ever_signed_in() to nutzer;

-- `verknuepft`, `erste_anmeldung` and `angemeldet` look at other tables; they are computed only if selected.
create or replace view app.nutzer_liste with (security_invoker = true) as
  select b.user_id, b.username, b.email, b.mail, b.first_name, b.last_name, b.db_role, b.system_status,
    b.apus_admin, b.apus_team, b.kataster_enabled, b.app_status, b.enabled, b.reg_date,
    -- Row by row; `exists` would be answered by reading all links once.
    coalesce(
      (select true from app.benutzer_kunde bk where bk.user_id = b.user_id limit 1),
      (select true from app.benutzer_hq bh where bh.user_id = b.user_id limit 1), false
    ) as verknuepft,
    accounts.first_sign_in(b.user_id) as erste_anmeldung, b.version, b.geaendert_am, b.geaendert_von,
    b.sortname, b.suchtext, b.user_id in (select accounts.ever_signed_in()) as angemeldet, b.pruefer_bis
  from app.benutzer b;
revoke all on app.nutzer_liste from public, nutzer;
grant select on app.nutzer_liste to nutzer;

-- All personal data of the caller or of a person the caller may administer. `version` is the one the change
-- is based on. The sign-in address does not change.
-- Definer: only procedures write people.
create or replace function app.a_update_user(
  user_id bigint, first_name text, last_name text, mail text, geb date, geschlecht text, version integer
) returns void language plpgsql set search_path = pg_catalog as $$
declare
  present integer;
  address text := nullif(btrim(a_update_user.mail), '');
begin
  perform rights.refuse_unless(
    a_update_user.user_id = rights.user_id() or rights.may_manage(a_update_user.user_id)
  );
  select b.version into present
  from app.benutzer b
  where b.user_id = a_update_user.user_id for update;
  if present is distinct from a_update_user.version then
    raise sqlstate 'PT409' using message = 'changed meanwhile', hint = 'changed_meanwhile';
  end if;
  if address is not null and not checks.is_email(address) then
    raise check_violation using message = 'mail is not an e-mail address', column = 'mail', hint = 'email';
  end if;
  if a_update_user.geb >= checks.today() or a_update_user.geb <= date '1900-01-01' then
    raise check_violation using message = 'geb is no day of birth', column = 'geb', hint = 'geb';
  end if;
  update app.benutzer b set
    first_name = nullif(btrim(a_update_user.first_name), ''),
    last_name = nullif(btrim(a_update_user.last_name), ''), mail = address, geb = a_update_user.geb,
    geschlecht = nullif(a_update_user.geschlecht, '')
  where b.user_id = a_update_user.user_id;
end $$;
select rights.define('app.a_update_user(bigint, text, text, text, date, text, integer)');
grant execute on function app.a_update_user(bigint, text, text, text, date, text, integer) to nutzer;
