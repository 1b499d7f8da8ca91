-- Answers to writes that came with a key of the caller's (Idempotency-Key). When the answer was lost on its way,
-- the same write with the same key gets it again and changes nothing.
create table accounts.kept_answer (
  user_id bigint not null references app.benutzer on delete cascade,
  key text not null check (key ~ '^[A-Za-z0-9_-]{16,64}$'),
  -- Of method, address, preferences and body: a key belongs to one write.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- Null if the answer was too large to be kept.
  status smallint,
  headers jsonb not null default '{}',
  body text check (octet_length(body) <= 16384),
  at timestamptz not null default clock_timestamp(),
  primary key (user_id, key)
);
create index kept_answer_age on accounts.kept_answer (user_id, at);
