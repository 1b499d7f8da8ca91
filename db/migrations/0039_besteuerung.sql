-- By which consideration turnover tax is computed: agreed ('soll', § 16 (1) UStG) or received ('ist', § 20 UStG).
alter table app.lieferant
  add column besteuerung text not null default 'soll' check (besteuerung in ('soll', 'ist'));

-- What was supplied in a month: its advance return does not read the books of all years. Plain columns, because
-- under row security PostgreSQL uses no index on an expression like coalesce.
create index rechnung_leistung on app.rechnung (le_date);
create index rechnung_leistung_bis on app.rechnung (le_date_bis) where le_date_bis is not null;
create index position_leistung on app.position (le_date) where le_date is not null;
create index position_leistung_bis on app.position (le_date_bis) where le_date_bis is not null;
