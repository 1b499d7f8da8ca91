-- Several georeferenced plans become one: a job without a scan of its own, and a result without a transformation.
alter table app.karte_auftrag
  alter column datei_id drop not null,
  drop constraint karte_auftrag_art_check,
  drop constraint karte_auftrag_check,
  add constraint karte_auftrag_art_check check (art in ('kacheln', 'entzerren', 'mosaik')),
  add constraint karte_auftrag_werte check ((art <> 'kacheln') = (werte is not null)),
  add constraint karte_auftrag_datei check ((art <> 'mosaik') = (datei_id is not null));
alter table app.karte_datei
  drop constraint karte_datei_check,
  add constraint karte_datei_lage check (
    case art
      when 'scan' then num_nonnulls(epsg, umriss, georef_typ) = 0
      else num_nonnulls(epsg, umriss) = 2 and bild_sha256 is null
    end
  );
