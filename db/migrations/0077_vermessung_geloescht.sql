-- Why an object was deleted, and for 90 days what it was: it can be put back with its photos. The photos' files
-- stay as long as they are named here.
alter table maps.vermessung_geloescht
  add column grund text check (checks.is_line(grund, 200)),
  add column inhalt jsonb,
  add column dateien text[];
create index vermessung_geloescht_inhalt on maps.vermessung_geloescht (client_id, geloescht_am)
  where inhalt is not null;
create index vermessung_geloescht_dateien on maps.vermessung_geloescht using gin (dateien)
  where dateien is not null;
