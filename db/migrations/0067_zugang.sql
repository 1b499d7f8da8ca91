-- Keys for programs ("Zugänge für Programme"): a program calls with a key in the name of the person who made it, with
-- no more rights than that person and usually fewer. Only a digest of the key is kept.
create table accounts.zugang (
  id bigint generated always as identity primary key,
  user_id bigint not null references app.benutzer on delete cascade,
  -- person: their own; haus: of the installation, which every admin of the half sees and may end.
  art text not null check (art in ('person', 'haus')),
  name text not null check (checks.is_line(name, 60)),
  -- SHA-256 of the key, which is 256 random bits.
  digest bytea not null unique check (octet_length(digest) = 32),
  -- Its last characters, to recognize it by.
  zeichen text not null check (zeichen ~ '^[0-9A-Za-z]{4}$'),
  haelfte text check (haelfte in ('forst', 'draenage')),
  -- Null: everything that the person sees.
  gruppen text[] check (cardinality(gruppen) between 1 and 20 and array_position(gruppen, null) is null),
  nur_lesen boolean not null,
  client_id bigint references app.kunde on delete cascade,
  -- What the person was when the key was made: it never has more than this, and never more than they have now.
  rollen text[] not null check (cardinality(rollen) between 1 and 20),
  token_gruppen text[] not null,
  -- The last day on which it works.
  bis date not null,
  erstellt_am timestamptz not null default now(),
  -- To the hour, so that a request writes nothing.
  zuletzt_am timestamptz,
  beendet_am timestamptz,
  beendet_von text,
  beendet_grund text check (beendet_grund in ('beendet', 'verwaltung', 'sitzungen', 'person')),
  check (bis <= (erstellt_am + interval '367 days')::date),
  check (art = 'person' or haelfte is not null),
  check ((beendet_am is null) = (beendet_grund is null))
);
create index zugang_person on accounts.zugang (user_id);
create index zugang_kunde on accounts.zugang (client_id);

-- Two more kinds of notices, added to whichever there are.
do $$
declare arten text[];
begin
  select array_agg(distinct word[1] order by word[1]) into arten
  from pg_constraint c cross join regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''', 'g') as word
  where c.conrelid = 'app.meldung'::regclass and c.conname = 'meldung_art_check';
  execute format(
    'alter table app.meldung drop constraint meldung_art_check,
      add constraint meldung_art_check check (art = any (%L::text[]))',
    arten || '{zugang_neu,zugang_endet}'::text[]
  );
end $$;
