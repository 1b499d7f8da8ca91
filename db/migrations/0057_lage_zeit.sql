-- When a receiver took the place of a tree, by its own clock: that of the device may be wrong.
alter table app.habitatbaeume
  add column lage_zeit timestamptz
    constraint habitatbaeume_lage_zeit check (lage_zeit >= '1980-01-06' and lage_zeit < '2100-01-01');
