-- Corrections ('korrektur') take single lines or amounts of an issued invoice back (§ 14 (6) Nr. 2 UStG, § 31
-- (5) UStDV). Their amounts are below zero, like those of a Storno.
alter table app.rechnung drop constraint rechnung_art_check;
alter table app.rechnung
  add column korrektur_von bigint references app.rechnung,
  add constraint rechnung_art_check
    check (art in ('rechnung', 'storno', 'abschlag', 'schluss', 'korrektur')),
  add constraint rechnung_korrektur_check check ((art = 'korrektur') = (korrektur_von is not null));
create index rechnung_korrektur on app.rechnung (korrektur_von) where korrektur_von is not null;

-- Which line of the original a line takes back, and how much of its quantity: 0 if only the price is lowered.
-- Deferred, because original and correction are deleted together after their retention period.
alter table app.position
  add column korrektur_position_id bigint references app.position deferrable initially deferred,
  add column korrektur_menge numeric(12, 3),
  add constraint position_korrektur_check check (
    (korrektur_position_id is null) = (korrektur_menge is null)
      and (korrektur_position_id is null or rechnung_id is not null)
  );
create index position_korrektur on app.position (korrektur_position_id) where korrektur_position_id is not null;

-- Neither is a claim that could be open (0045).
drop index app.rechnung_posten;
create index rechnung_posten on app.rechnung (id)
  include (client_id, nummer, rn_datum, faellig, brutto, anzahlung, zahlbetrag, art, angebot_id)
  where art not in ('storno', 'korrektur') and zustand = 'ausgestellt';
