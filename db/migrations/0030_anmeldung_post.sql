-- The embedded identity provider's mails, which wait like all others, and what its hashes are made with.

-- The key of keyed hashes (recovery codes, throttles), encrypted with the application's secret: when the secret is changed it is encrypted again, and the hashes stay good.
create table idp.geheimnis (
  nr integer primary key default 1 check (nr = 1),
  siegel text not null
);

-- Invitations, links to set a password, and warnings: one row each, for the mail server and for counting them by the hour.
create table idp.post (
  id bigint generated always as identity primary key,
  art text not null check (art in ('einladung', 'passwort', 'sperre', 'passwort_neu')),
  konto_id uuid references idp.konto on delete cascade,
  empfaenger text not null check (char_length(empfaenger) between 3 and 254),
  -- Whose hour it counts against: the admin's address. Null: nobody's.
  absender text,
  -- The one-time link in it; a mail whose link is void is not sent.
  link_hash text,
  -- The link itself, encrypted with the application's secret, and only while the mail waits.
  siegel text,
  zustand text not null default 'wartet' check (zustand in ('wartet', 'unterwegs', 'gesendet', 'von_hand', 'hinfaellig', 'aufgegeben')),
  versuche integer not null default 0,
  -- When it is tried again; while it is under way, until when it is one server's.
  naechster timestamptz not null default now(),
  erstellt timestamptz not null default now(),
  gesendet_am timestamptz,
  check (siegel is null or zustand in ('wartet', 'unterwegs'))
);
create index post_wartet on idp.post (naechster) where zustand in ('wartet', 'unterwegs');
create index post_empfaenger on idp.post (rechte.fold_address(empfaenger), erstellt);
create index post_absender on idp.post (rechte.fold_address(absender), erstellt);
create index post_konto on idp.post (konto_id);

-- Contact addresses (benutzer.mail): one is used for mails once its holder has shown it to be theirs.
create table rechte.kontakt (
  user_id bigint primary key references app.benutzer on delete cascade,
  bestaetigt text,
  -- The one that waits to be shown, and the digest of the code in the last mail to it; the code itself is made when the mail is.
  offen text,
  code_digest text unique,
  code_bis timestamptz,
  versuche integer not null default 0,
  -- When the mail is tried again; null: it is sent or given up.
  naechster timestamptz,
  -- To whom a mail went last, and how many within the hour that began then: nobody fills another's mailbox.
  gesendet_an text,
  gesendet_am timestamptz,
  stunde timestamptz,
  anzahl integer not null default 0
);
create index kontakt_naechster on rechte.kontakt (naechster) where naechster is not null;
create index kontakt_gesendet on rechte.kontakt (rechte.fold_address(gesendet_an), gesendet_am);
