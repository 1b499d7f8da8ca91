-- Advance invoices ('abschlag') and the final invoice ('schluss') that takes off what was received for them
-- (§ 14 (5) UStG). Both belong to an order.
alter table app.rechnung drop constraint rechnung_art_check;
alter table app.rechnung
  add constraint rechnung_art_check check (art in ('rechnung', 'storno', 'abschlag', 'schluss')),
  add constraint rechnung_auftrag_check check (art not in ('abschlag', 'schluss') or angebot_id is not null);

create index rechnung_abschlag on app.rechnung (angebot_id) where art in ('abschlag', 'schluss');

-- Open items are read from all kinds that claim money (0038).
drop index app.rechnung_posten;
create index rechnung_posten on app.rechnung (id)
  include (client_id, nummer, rn_datum, faellig, brutto, anzahlung, zahlbetrag, art, angebot_id)
  where art <> 'storno' and zustand = 'ausgestellt';

-- DATEV: accounts of advances received, by category and rate like the revenue accounts ({"S 19.00": "1718"}).
-- Empty: those of the chart of accounts.
alter table app.lieferant
  add column datev_anzahlungskonten jsonb not null default '{}'
  check (jsonb_typeof(datev_anzahlungskonten) = 'object');
