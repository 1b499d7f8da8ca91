-- The functions of all subjects stood in the schema rechte. Each subject has a schema of its own now, and
-- rights holds rights. No row and no rule changes.
--
-- What columns, checks and indexes are made of is moved. Everything else is dropped, with the policies, triggers
-- and views that ask it: the nouns make all of it again under its new name. Until they have, row security lets
-- nobody through.

create schema rights;
create schema checks;
create schema history;
create schema accounts;
create schema search;
create schema abo;
create schema books;
create schema dispatch;
create schema forest;
create schema maps;
create schema notices;
create schema privacy;
create schema imports;

alter function rechte.fold_address(text) set schema accounts;
alter function rechte.is_strukturen(jsonb) set schema checks;
alter function checks.is_strukturen(jsonb) rename to are_structures;
alter function rechte.is_email(text) set schema checks;
alter function rechte.is_ordner(text) set schema checks;
alter function checks.is_ordner(text) rename to is_folder_name;
alter function rechte.is_line(text, integer) set schema checks;
alter function rechte.is_line_or_empty(text, integer) set schema checks;
alter function rechte.is_skonto(jsonb) set schema checks;
alter function rechte.is_text(text, integer) set schema checks;
alter function rechte.is_unit_price(numeric) set schema checks;
alter function rechte.struktur_suche(jsonb) set schema forest;
alter function forest.struktur_suche(jsonb) rename to structure_search;
alter function rechte.natural_key(text) set schema search;
alter function rechte.search_text(text) set schema search;
alter function rechte.sort_key(text) set schema search;

alter table rechte.gutschein_code set schema abo;
alter table rechte.gutschein_versuch set schema abo;
alter table rechte.beendete_sitzung set schema accounts;
alter table rechte.identitaet set schema accounts;
alter table rechte.kontakt set schema accounts;
alter table rechte.sitzungsende set schema accounts;
alter table rechte.habitat_empfangen set schema forest;
alter table rechte.habitat_geloescht set schema forest;
alter table rechte.meldung_post set schema notices;

-- One at a time: dropping one takes others with it.
do $$
declare former regprocedure;
begin
  loop
    select p.oid into former from pg_proc p where p.pronamespace = 'rechte'::regnamespace limit 1;
    exit when not found;
    execute format('drop function %s cascade', former);
  end loop;
end $$;
-- Refused while anything is left in it.
drop schema rechte;
