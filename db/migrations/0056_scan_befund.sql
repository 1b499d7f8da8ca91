-- What reading a scan has shown: values of more than eight bits are stretched for display, from the darkest
-- to the lightest; and parts of the picture may be broken.
alter table app.karte_datei
  add column grau_von double precision,
  add column grau_bis double precision,
  add column beschaedigt boolean not null default false,
  add constraint karte_datei_grau check (
    num_nonnulls(grau_von, grau_bis) = 0 or (num_nonnulls(grau_von, grau_bis) = 2 and grau_von <= grau_bis)
  ),
  add constraint karte_datei_befund check (art = 'scan' or (grau_von is null and not beschaedigt));
