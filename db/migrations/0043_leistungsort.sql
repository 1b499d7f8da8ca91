-- The country is part of a customer's address. What else an address has depends on it (checks.is_postcode).
alter table app.kunde
  add column land text not null default 'DE' check (land ~ '^[A-Z]{2}$'),
  drop constraint kunde_plz_check,
  add constraint kunde_plz_check check (checks.is_line(plz, 12)),
  -- A state of Germany.
  add constraint kunde_bundesland_land check (bundesland is null or land = 'DE');
update app.kunde k set land = b.land, bundesland = null
from app.kunde_rechnung b
where b.client_id = k.client_id and b.land <> 'DE';
alter table app.kunde_rechnung drop column land;

-- Where a supply is taxed (§ 3a UStG): about land in Germany, about land abroad (in which country), not about
-- land. Null: on a document as for the customer, for a customer not decided. And the buyer's references: his
-- own (BT-10), project, contract, tender or lot, object (BT-11, 12, 17, 18).
alter table app.kunde_rechnung
  add column leistungsort text
    check (leistungsort in ('grundstueck_inland', 'grundstueck_ausland', 'kein_grundstueck')),
  add column leistungsland text check (leistungsland ~ '^[A-Z]{2}$'),
  add column kaeufer_ref text not null default '' check (checks.is_line_or_empty(kaeufer_ref, 100)),
  add column vertrag_nr text not null default '' check (checks.is_line_or_empty(vertrag_nr, 100)),
  add constraint kunde_rechnung_leistungsland check (
    leistungsland is null or leistungsort is not distinct from 'grundstueck_ausland'
  );
alter table app.rechnung
  add column leistungsort text
    check (leistungsort in ('grundstueck_inland', 'grundstueck_ausland', 'kein_grundstueck')),
  add column leistungsland text check (leistungsland ~ '^[A-Z]{2}$'),
  add column kaeufer_ref text check (checks.is_line_or_empty(kaeufer_ref, 100)),
  add column projekt_nr text check (checks.is_line_or_empty(projekt_nr, 100)),
  add column vertrag_nr text check (checks.is_line_or_empty(vertrag_nr, 100)),
  add column vergabe_nr text check (checks.is_line_or_empty(vergabe_nr, 100)),
  add column objekt_nr text check (checks.is_line_or_empty(objekt_nr, 100)),
  add constraint rechnung_leistungsland check (
    leistungsland is null or leistungsort is not distinct from 'grundstueck_ausland'
  );
alter table app.angebot
  add column leistungsort text
    check (leistungsort in ('grundstueck_inland', 'grundstueck_ausland', 'kein_grundstueck')),
  add column leistungsland text check (leistungsland ~ '^[A-Z]{2}$'),
  add column kaeufer_ref text check (checks.is_line_or_empty(kaeufer_ref, 100)),
  add column projekt_nr text check (checks.is_line_or_empty(projekt_nr, 100)),
  add column vertrag_nr text check (checks.is_line_or_empty(vertrag_nr, 100)),
  add column vergabe_nr text check (checks.is_line_or_empty(vergabe_nr, 100)),
  add column objekt_nr text check (checks.is_line_or_empty(objekt_nr, 100)),
  add constraint angebot_leistungsland check (
    leistungsland is null or leistungsort is not distinct from 'grundstueck_ausland'
  );
