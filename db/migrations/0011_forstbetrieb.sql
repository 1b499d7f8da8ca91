-- Lists of headquarters sort by date, area and change; the history of one of them is read across four tables.
create index hq_dtfe on app.hq ("dtFE", "idHQ");
create index hq_flaeche_ha on app.hq ("dcFLAEHB", "idHQ");
create index hq_geaendert on app.hq (geaendert_am desc, "idHQ");
create index verlauf_hq on app.verlauf (hqid, id);
