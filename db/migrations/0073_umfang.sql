-- Indexes for lists among very many rows: one for each order that a list offers, and for what a state leaves.

create index kunde_strasse on app.kunde (strasse, client_id);
create index kunde_epsg on app.kunde (epsg, client_id);
create index kunde_kataster on app.kunde (kataster_status, client_id);
create index kunde_ordner on app.kunde (ordner, client_id);

create index kartenblatt_suche on app.kartenblatt using gin (suchtext public.gin_trgm_ops);
create index kartenblatt_kreis on app.kartenblatt (kreis, id);
create index kartenblatt_gemeinde on app.kartenblatt (gemeinde, id);
create index kartenblatt_gemarkung on app.kartenblatt (gemarkung, id);
create index kartenblatt_auftrag on app.kartenblatt (auftr_nr, id);
create index kartenblatt_register on app.kartenblatt (reg_nr, id);
create index kartenblatt_typ on app.kartenblatt (typ, id);
create index kartenblatt_unternehmen on app.kartenblatt (ausf_unternehmen, id);
create index kartenblatt_jahr on app.kartenblatt (jahr, id);
create index kartenblatt_massstab on app.kartenblatt (scale, id);
create index kartenblatt_epsg on app.kartenblatt (epsg, id);
create index kartenblatt_antwort on app.kartenblatt (client_id, client_status) where show_client;

create index rechnung_netto on app.rechnung (netto, id);
-- Few of them, and lists filter by them.
create index rechnung_besondere on app.rechnung (art, id) where art <> 'rechnung';

-- The provider's own people, among everybody else's.
create index benutzer_team on app.benutzer (user_id)
  where apus_admin or apus_team or system_status in ('ogf_admin', 'ogf_team', 'apus_admin', 'apus_team', 'admin');
create index benutzer_kataster on app.benutzer (user_id) where kataster_enabled;
create index benutzer_pruefer on app.benutzer (user_id) where pruefer_bis is not null;
create index benutzer_gesperrt on app.benutzer (user_id) where not enabled or app_status <> 'aktiv';
-- The newly registered, whom somebody has to assign.
create index benutzer_neu on app.benutzer (user_id) where system_status = 'ogf_init';

-- Trees of a month, of all headquarters; with what the policies ask for.
create index habitatbaeume_tag on app.habitatbaeume (erfasst_am) include ("idHQ", client_id);

-- A customer's account.
create index zahlung_kunde on app.zahlung (client_id, datum);
