-- Project folders: a name that Windows takes for a device is no folder, and which letters a name may have no longer depends on the locale of the operating system.
-- The same rule stands in domain/ordner.ts; both are tried on domain/ordner.cases.json.

create function rechte.is_ordner(value text) returns boolean language sql immutable parallel safe set search_path = pg_catalog
  return value is null or (value ~ '^[0-9A-Za-z_À-ÖØ-öø-ž][0-9A-Za-z_À-ÖØ-öø-ž .-]{0,99}$' and value !~ '\.\.' and value !~ '[. ]$'
    and value !~* '^(con|prn|aux|nul|com[0-9]|lpt[0-9]) *(\.|$)');

-- What the former check let through is brought into the new form. Nobody changed these customers: their version and their history stay.
alter table app.kunde no force row level security;
alter table app.kunde disable trigger user;
update app.kunde set ordner = regexp_replace(ordner, '[^0-9A-Za-z_À-ÖØ-öø-ž .-]', '_', 'g') where ordner ~ '[^0-9A-Za-z_À-ÖØ-öø-ž .-]';
update app.kunde set ordner = rtrim(left('_' || ordner, 100), '. ') where not rechte.is_ordner(ordner);
alter table app.kunde enable trigger user;
alter table app.kunde force row level security;

alter table app.kunde drop constraint kunde_ordner_check;
alter table app.kunde add constraint kunde_ordner_check check (rechte.is_ordner(ordner));

-- The history of one person, with the links to customers and headquarters.
create index if not exists verlauf_person on app.verlauf (person_id, id);
