-- Imports that programs start with a key of their own (Idempotency-Key): one runs once, and whoever asks again gets its
-- answer. The rows of an import are written in the same transaction as its answer here.
create table accounts.kept_import (
  id bigint generated always as identity primary key,
  user_id bigint not null references app.benutzer on delete cascade,
  -- The key of the program; null: the person.
  zugang_id bigint,
  key text not null check (key ~ '^[A-Za-z0-9_-]{16,64}$'),
  -- Of what is imported, its settings and the bytes of the file: a key belongs to one import.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  was text not null check (was ~ '^[a-z]{3,30}$'),
  stand text not null default 'laeuft' check (stand in ('laeuft', 'fertig', 'fehlgeschlagen')),
  -- Which run of which server it is: another that takes over an abandoned import ends this one.
  lauf uuid not null,
  fortschritt smallint not null default 0 check (fortschritt between 0 and 100),
  -- Null while it runs.
  answer text check (octet_length(answer) <= 1048576),
  at timestamptz not null default clock_timestamp(),
  -- When its server last said that it is at work.
  lebt_am timestamptz not null default clock_timestamp(),
  unique (user_id, key),
  check ((stand = 'laeuft') = (answer is null))
);
create index kept_import_age on accounts.kept_import (user_id, at);
