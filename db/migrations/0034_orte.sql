-- Stands and hectares of every holding without reading outlines, which make each row large.
create index bestand_summe on app.bestand ("idHQ") include (flaeche_ha, angelegt_am);
