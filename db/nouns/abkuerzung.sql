-- Abbreviations: read by every role except the newly registered, written by apus_admin.

select rights.protect('app.abkuerzung');
grant select, delete, insert (abk, bedeutung, gruppe), update (abk, bedeutung, gruppe) on app.abkuerzung
  to nutzer;
-- Any role besides ogf_init and pruefer; nobody and the disabled have no role.
create policy read on app.abkuerzung for select to nutzer
  using (not (select rights.roles()) <@ '{ogf_init,pruefer}');
create policy add on app.abkuerzung for insert to nutzer with check ((select rights.has_role('apus_admin')));
create policy change on app.abkuerzung for update to nutzer
  using ((select rights.has_role('apus_admin')))
  with check ((select rights.has_role('apus_admin')));
create policy remove on app.abkuerzung for delete to nutzer using ((select rights.has_role('apus_admin')));
select history.watch('app.abkuerzung', 'id', true);
create policy abkuerzung on app.verlauf for select to nutzer
  using (tabelle = 'abkuerzung' and (select rights.has_role('apus_admin')));

-- All of them, alphabetically within their groups.
create or replace function app.a_get_acronyms()
  returns setof app.abkuerzung language sql stable set search_path = pg_catalog as $$
  select a.*
  from app.abkuerzung a
  order by search.sort_key(a.gruppe), search.sort_key(a.abk), a.id
$$;
grant execute on function app.a_get_acronyms() to nutzer;
