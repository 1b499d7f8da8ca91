-- From which kind of file an entry of the bank account was read. The same booking has other texts in each of
-- them, so entries of another kind are recognised by account, day and amount (books.bank_umsaetze).
alter table app.kontoumsatz
  add column quelle text not null default 'camt' check (quelle in ('camt', 'mt940', 'csv'));
