-- The embedded identity provider: accounts, one-time links, keys, sessions and tokens, throttles, events. Rights stand in db/nouns/idp.sql.
-- Nothing in here can be used without the application's secret or the holder's own copy: tokens and links are kept as SHA-256, keys and TOTP secrets encrypted.

create schema idp;

-- One account per person; the person's rights stand in app.benutzer, found by the address.
create table idp.konto (
  -- The sub of the person's tokens.
  konto_id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 3 and 254),
  -- argon2id in PHC form; null until an invitation was accepted.
  pw_hash text check (pw_hash like '$argon2id$%'),
  pw_changed_at timestamptz,
  must_change_pw boolean not null default false,
  totp_secret text,
  totp_confirmed_at timestamptz,
  -- Time step of the last accepted code: a code is good once.
  totp_last_step bigint,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  check (totp_confirmed_at is null or totp_secret is not null)
);
create unique index konto_email on idp.konto (lower(email));

create table idp.wiederherstellung (
  konto_id uuid not null references idp.konto on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (konto_id, code_hash)
);

create table idp.einmal_link (
  link_hash text primary key,
  art text not null check (art in ('einladung', 'passwort', 'einrichtung')),
  konto_id uuid references idp.konto on delete cascade,
  -- A set-up link may be bound to an address before there is an account.
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((art = 'einrichtung') = (konto_id is null))
);
create index einmal_link_konto on idp.einmal_link (konto_id, art);

-- What the OpenID provider keeps: sessions, grants, codes, refresh tokens, interactions.
create table idp.artefakt (
  model text not null,
  id_hash text not null,
  payload jsonb not null,
  konto_id text,
  grant_hash text,
  uid_hash text,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  primary key (model, id_hash)
);
create index artefakt_expires on idp.artefakt (expires_at);
create index artefakt_konto on idp.artefakt (konto_id);
create index artefakt_grant on idp.artefakt (grant_hash);
create index artefakt_uid on idp.artefakt (uid_hash);

-- How far a sign-in has come between password and the end: second factor, forced change of the password.
create table idp.anmeldevorgang (
  vorgang_hash text primary key,
  konto_id uuid not null references idp.konto on delete cascade,
  schritt text not null check (schritt in ('code', 'einrichten', 'codes_zeigen', 'passwort')),
  amr text[] not null,
  totp_neu text,
  expires_at timestamptz not null
);
create index anmeldevorgang_expires on idp.anmeldevorgang (expires_at);
create index anmeldevorgang_konto on idp.anmeldevorgang (konto_id);

create table idp.schluessel (
  kid text primary key,
  alg text not null,
  zustand text not null check (zustand in ('naechster', 'aktiv', 'alt', 'gesperrt')),
  -- Private key as JWK, encrypted with the application's secret.
  jwk text not null,
  created_at timestamptz not null default now(),
  -- Since when the key is in its present state.
  changed_at timestamptz not null default now()
);
-- Several servers may start at once: only one of them succeeds in making each key.
create unique index schluessel_einer on idp.schluessel (zustand) where zustand in ('aktiv', 'naechster');

-- Requests per address and minute. The address is kept as a keyed hash.
create table idp.drossel (
  schluessel text not null,
  fenster bigint not null,
  anzahl integer not null,
  primary key (schluessel, fenster)
);

-- Failed sign-ins per address typed, whether an account has it or not: locking must not tell which addresses exist.
create table idp.sperre (
  schluessel text primary key,
  fehlversuche integer not null,
  letzter timestamptz not null,
  gesperrt_bis timestamptz
);

create table idp.ereignis (
  id bigint generated always as identity primary key,
  zeit timestamptz not null default clock_timestamp(),
  art text not null,
  konto_id uuid,
  -- For people without an account, and for those whose account is gone.
  email text,
  -- Who did it, where it was somebody else: the admin's address.
  wer text
);
create index ereignis_konto on idp.ereignis (konto_id, id);
