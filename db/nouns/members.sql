-- What the drainage half's lists of customers and people show besides the tables' own columns. The views run
-- as the caller, so row security decides which rows they contain.

-- Customers with the number of people who use the app for them, and of the team's people assigned to them.
-- Only people the caller may see are counted; none, and not zero, with a key to which people are closed.
drop view if exists app.kunde_mitglieder;
create view app.kunde_mitglieder with (security_invoker = true) as
  select k.*,
    case
      when (select rights.key_reads('personen', null)) then (
        select count(*)::integer
        from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
        where bk.client_id = k.client_id and not b.apus_team and not b.apus_admin
      )
    end as nutzer,
    case
      when (select rights.key_reads('personen', null)) then (
        select count(*)::integer
        from app.benutzer_kunde bk join app.benutzer b on b.user_id = bk.user_id
        where bk.client_id = k.client_id and (b.apus_team or b.apus_admin)
      )
    end as team
  from app.kunde k;

-- People of the drainage half: by base role, by flag, or by a customer link with a role of that half; also
-- the newly registered who are not linked to a headquarters. Links are looked up row by row: `exists` beside
-- `or` would be answered by reading all of them once.
create or replace view app.mitglied with (security_invoker = true) as
  select b.user_id, b.first_name, b.last_name, b.email, b.mail, b.username, b.db_role, b.system_status,
    b.apus_team, b.apus_admin, b.kataster_enabled, b.app_status, b.enabled, b.reg_date,
    (select count(*)::integer from app.benutzer_kunde bk where bk.user_id = b.user_id) as kunden, b.version,
    b.geaendert_am, b.geaendert_von, b.suchtext, b.sortname
  from app.benutzer b
  where b.apus_team
    or b.apus_admin
    or b.system_status in ('appuser', 'appuser_admin', 'apus_team', 'apus_admin', 'admin')
    or coalesce((
      select true
      from app.benutzer_kunde bk
      where bk.user_id = b.user_id and bk.rolle in ('admin', 'nutzer') limit 1
    ), false)
    or (
      b.system_status = 'ogf_init'
      and not exists (select from app.benutzer_hq bh where bh.user_id = b.user_id)
    );

revoke all on app.kunde_mitglieder, app.mitglied from public, nutzer;
grant select on app.kunde_mitglieder, app.mitglied to nutzer;

-- Which people of a customer the caller may administer (app access, invitation, sessions), so that screens
-- offer nothing that would be refused.
create or replace function app.a_get_verwaltbar(client_id bigint)
  returns table (user_id bigint, verwaltbar boolean) language sql stable set search_path = pg_catalog as $$
  select bk.user_id, rights.may_manage(bk.user_id)
  from app.benutzer_kunde bk
  where bk.client_id = a_get_verwaltbar.client_id
  order by bk.user_id
$$;
grant execute on function app.a_get_verwaltbar(bigint) to nutzer;

grant execute on function checks.is_folder_name(text) to nutzer, forst_definer, forst_betrieb;
