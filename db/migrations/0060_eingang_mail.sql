-- Received invoices that come by mail: the state of the mailbox, and the mails that were taken from it.

create table app.eingang_postfach (
  id boolean primary key default true check (id),
  -- Whose mailbox it is, without its password; empty: none is set.
  adresse text not null default '',
  -- The last time that all of it was seen.
  geschaut_am timestamptz,
  -- What went wrong last, and when; empty: nothing since it was seen.
  fehler text not null default ''
    check (fehler in ('', 'anmeldung', 'verbindung', 'ordner', 'mail', 'intern')),
  fehler_am timestamptz,
  -- A server looks at it until then.
  belegt_bis timestamptz
);

create table app.eingang_mail (
  id bigint generated always as identity primary key,
  -- Mailbox, UIDVALIDITY and UID: a mail is dealt with once, whatever happens between commit and moving.
  schluessel text not null unique check (schluessel <> ''),
  absender text not null default '',
  betreff text not null default '',
  gesendet_am timestamptz,
  -- teilweise: some of its files were taken in and others not.
  zustand text not null check (zustand in ('uebernommen', 'teilweise', 'abgelehnt')),
  -- Why the whole mail was not taken in; empty if its files say so themselves.
  grund text not null default '',
  -- Its files: name, and the received invoice or the reason of the refusal.
  teile jsonb not null default '[]' check (jsonb_typeof(teile) = 'array'),
  -- Somebody has looked after what was not taken in.
  erledigt boolean not null default false,
  angelegt_am timestamptz not null default now()
);
create index eingang_mail_offen on app.eingang_mail (id) where zustand <> 'uebernommen' and not erledigt;
