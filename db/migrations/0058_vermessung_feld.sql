-- Survey objects may be captured one by one: each has a number that a device may choose, and a version.
-- `import_id` null: the state was made by hand, and an import that does not name the object leaves it.
do $$ declare name text; begin
  foreach name in array '{draenage,ausmuendung,schacht,schlucker,einlauf}'::text[] loop
    execute format(
      'alter table app.%1$I alter column import_id drop not null,
         add column kennung uuid not null default gen_random_uuid() constraint %2$I unique,
         add column version integer not null default 1, add column geaendert_am timestamptz',
      name, name || '_kennung_key'
    );
  end loop;
end $$;

-- What was deleted: a device that was without network at that time must not bring it back.
create table maps.vermessung_geloescht (
  kennung uuid primary key,
  tabelle text not null check (tabelle in ('draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf')),
  client_id bigint not null references app.kunde on delete cascade,
  geloescht_am timestamptz not null default now()
);
create index vermessung_geloescht_kunde on maps.vermessung_geloescht (client_id);

-- Captures that were taken, by the digest of what was sent: a device that was cut off before it read the answer
-- sends them once more.
create table maps.vermessung_empfangen (
  kennung uuid not null,
  digest bytea not null,
  client_id bigint not null references app.kunde on delete cascade,
  zeit timestamptz not null default now(),
  primary key (kennung, digest)
);
create index vermessung_empfangen_kunde on maps.vermessung_empfangen (client_id);
create index vermessung_empfangen_zeit on maps.vermessung_empfangen (zeit);
