-- The list of all people: what it is sorted by stands in indexes, so that 100,000 people come page by page.

alter table app.benutzer add column sortname text collate "C" not null generated always as (
  rechte.sort_key(coalesce(nullif(btrim(coalesce(last_name, '') || ' ' || coalesce(first_name, '')), ''), username))) stored;

create index benutzer_sortname on app.benutzer (sortname, user_id);
create index benutzer_sortmail on app.benutzer (email, user_id);
create index benutzer_status on app.benutzer (system_status, user_id);
create index benutzer_reg_date on app.benutzer (reg_date, user_id);
create index benutzer_geaendert on app.benutzer (geaendert_am, user_id);
