-- Fees of reminders, interest and lump sums that were paid with an invoice: damages, no consideration.
alter table app.zahlung drop constraint if exists zahlung_art_check;
alter table app.zahlung add constraint zahlung_art_check
  check (art in ('zahlung', 'skonto', 'ausfall', 'mahnkosten')) not valid;
alter table app.zahlung validate constraint zahlung_art_check;
