-- What replaces a cancelled invoice is asked for by each month's turnover tax.
create index if not exists rechnung_kopie_von on app.rechnung (kopie_von) where kopie_von is not null;
