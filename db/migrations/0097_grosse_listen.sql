-- What grows with the number of customers is found by an index: received and recurring invoices, entries of the bank,
-- deliveries and jobs.

create index eingang_suche on app.eingang using gin (suchtext public.gin_trgm_ops);
create index eingang_woerter on app.eingang
  using gin (search.search_text(name || ' ' || nummer || ' ' || dateiname) public.gin_trgm_ops);
create index eingang_neu on app.eingang (eingegangen_am desc, id desc);
create index eingang_brutto on app.eingang (brutto, id);
create index eingang_zahlbetrag on app.eingang (zahlbetrag, id);
create index serie_suche on app.serie using gin (search.search_text(titel) public.gin_trgm_ops);
create index kontoumsatz_suche on app.kontoumsatz
  using gin (lower(name || ' ' || zweck || ' ' || iban) public.gin_trgm_ops);
create index kontoumsatz_betrag on app.kontoumsatz (betrag, id);
create index versand_nicht_gesendet on app.versand (zustand, rechnung_id) where zustand <> 'gesendet';
-- Jobs of the last day are counted by person before the next one is taken.
create index karte_auftrag_begonnen on app.karte_auftrag (art, begonnen_am) where begonnen_am is not null;
create index karte_auftrag_person on app.karte_auftrag (user_id);

-- The day on which the next period is due that has no draft and was not left out; null: there is none. Kept by
-- books.serie_next (db/nouns/serie.sql).
alter table app.serie add column naechste date;
alter table app.serie disable trigger user;
update app.serie s set naechste = (
  select case s.faellig_am when 'beginn' then p.von else least(p.danach - 1, s.ende) end
  from generate_series(1, least(
      coalesce(s.anzahl, 1200), 1200, 1 + (select count(*) from app.serie_lauf l where l.serie_id = s.id)
    )) g(nr)
    cross join lateral (
      select (s.beginn + make_interval(months => (g.nr - 1)::integer * s.monate))::date as von,
        (s.beginn + make_interval(months => g.nr::integer * s.monate))::date as danach
    ) p
  where not exists (select from app.serie_lauf l where l.serie_id = s.id and l.nr = g.nr)
    and (s.ende is null or p.von <= s.ende)
  order by g.nr limit 1
);
alter table app.serie enable trigger user;
create index serie_naechste on app.serie (naechste) where zustand = 'aktiv';
