-- Personal preferences of the screens (colours, scheme, language, what the shell shows), one row per choice: each is written by itself, and the last writer wins.
create table app.einstellung (
  user_id bigint not null references app.benutzer on delete cascade,
  schluessel text not null check (schluessel ~ '^[a-z][A-Za-z0-9_.-]{0,79}$'),
  wert jsonb not null check (jsonb_typeof(wert) <> 'null' and octet_length(wert::text) <= 4096),
  geaendert_am timestamptz not null default now(),
  primary key (user_id, schluessel)
);
