-- What DATEV needs beyond the revenue accounts: chart of accounts, business year, one account for all debtors, and the accounts of payments.
alter table app.lieferant
  add column datev_rahmen text not null default '' check (datev_rahmen in ('', '03', '04')),
  add column datev_jahresbeginn integer not null default 1 check (datev_jahresbeginn between 1 and 12),
  -- Empty: each customer has an account of their own.
  add column datev_debitor_sammel text not null default '' check (datev_debitor_sammel ~ '^([1-9][0-9]{4,8})?$'),
  add column datev_bankkonto text not null default '' check (datev_bankkonto ~ '^([1-9][0-9]{3,7})?$'),
  add column datev_skontokonten jsonb not null default '{}' check (jsonb_typeof(datev_skontokonten) = 'object'),
  add column datev_festschreiben boolean not null default false;

-- The account of the other side tells whose payment an entry is.
create index kontoumsatz_iban on app.kontoumsatz (iban) where iban <> '';
