-- What operations record about themselves: dumps and checks of integrity. Shown on the admin page; no request of a user reads these tables directly.

create table betrieb.sicherung (
  id bigint generated always as identity primary key,
  zeit timestamptz not null,
  dauer_ms integer not null check (dauer_ms >= 0),
  -- Bytes of the file.
  groesse bigint not null check (groesse >= 0),
  datei text,
  engine text not null check (engine in ('postgres', 'embedded')),
  ergebnis text not null check (ergebnis in ('ok', 'fehler')),
  meldung text
);
create index sicherung_zeit on betrieb.sicherung (zeit desc);

create table betrieb.pruefung (
  id bigint generated always as identity primary key,
  zeit timestamptz not null,
  dauer_ms integer not null check (dauer_ms >= 0),
  ergebnis text not null check (ergebnis in ('ok', 'fehler')),
  meldung text
);
create index pruefung_zeit on betrieb.pruefung (zeit desc);

-- The owner is exempt: it records its own work. Nobody else holds a grant.
alter table betrieb.sicherung enable row level security;
alter table betrieb.pruefung enable row level security;
alter table betrieb.migration enable row level security;
alter table betrieb.nomen enable row level security;
