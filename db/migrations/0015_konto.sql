-- Addresses that somebody has shown to be theirs, and sessions that were signed out of.

-- An address counts as its holder's after a link that only its mailbox got, or that the provider's admins handed over. Accounts that are there keep what they have.
alter table idp.konto add column email_bestaetigt boolean not null default true;
alter table idp.konto alter column email_bestaetigt set default false;

-- Access tokens carry the sid of their session; until they expire by themselves those in here are refused.
create table rechte.beendete_sitzung (
  sid text primary key check (char_length(sid) between 16 and 100),
  bis timestamptz not null
);
create index beendete_sitzung_bis on rechte.beendete_sitzung (bis);
