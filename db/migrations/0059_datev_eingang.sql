-- DATEV: accounts of expenses with a tax key of their own ({"3400": ""}); empty: an automatic account, which
-- knows its tax. All other accounts get the key of the invoice's rate.
alter table app.lieferant
  add column datev_aufwandskonten jsonb not null default '{}'
  check (jsonb_typeof(datev_aufwandskonten) = 'object');
