-- Abbreviations: read by every signed-in role but the newly registered, kept by apus_admin.

select rechte.protect('app.abkuerzung');
grant select, delete, insert (abk, bedeutung, gruppe), update (abk, bedeutung, gruppe) on app.abkuerzung
  to nutzer;
-- Whoever holds any role beside ogf_init; nobody and the disabled hold none.
create policy read on app.abkuerzung for select to nutzer
  using (not (select rechte.rollen()) <@ '{ogf_init}');
create policy add on app.abkuerzung for insert to nutzer with check ((select rechte.has_role('apus_admin')));
create policy change on app.abkuerzung for update to nutzer
  using ((select rechte.has_role('apus_admin')))
  with check ((select rechte.has_role('apus_admin')));
create policy remove on app.abkuerzung for delete to nutzer using ((select rechte.has_role('apus_admin')));
select rechte.watch('app.abkuerzung', 'id', true);
create policy abkuerzung on app.verlauf for select to nutzer
  using (tabelle = 'abkuerzung' and (select rechte.has_role('apus_admin')));

-- All of them, in the order of the alphabet within their groups.
create or replace function app.a_get_acronyms()
  returns setof app.abkuerzung language sql stable set search_path = pg_catalog as $$
  select a.*
  from app.abkuerzung a
  order by rechte.sort_key(a.gruppe), rechte.sort_key(a.abk), a.id
$$;
revoke execute on function app.a_get_acronyms() from public;
grant execute on function app.a_get_acronyms() to nutzer;
