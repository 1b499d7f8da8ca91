// The product's schema for tests: a prebuilt archive for the embedded engine, and rows of every kind.
import { join } from 'node:path'
import type { OwnerConnection } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { silentLog } from '#server/log.ts'
import { TEMPLATES } from '#server/prepare.ts'

export const MIGRATE = {
  folder: join(import.meta.dirname, '../../db'),
  log: silentLog,
  now: () => new Date(),
}

/** The archive that a first start unpacks; test/template.setup.ts brings it to the state of db/. */
export const productArchive = (): string => TEMPLATES.empty

export const openProductDatabase = () =>
  openTestDatabase({ loginRole: 'forst_api', templateArchive: productArchive() })

/** Customers, holdings with areas, people, links and vouchers, with texts that are awkward to quote. */
export const addSampleRows = (owner: OwnerConnection, kunden: number) =>
  owner.script(`begin; set local search_path = app, public;
    insert into app.kunde (name, strasse, plz, ort, bundesland, epsg, ap_nachname)
      select 'Forst „' || i || '", \\ (Grün & Söhne) ''x''', 'Weg ' || i, lpad((10000 + i)::text, 5, '0'),
        'Ort ' || i % 70, 'Bayern', 25832, nullif('Müller' || i % 7, 'Müller0')
      from generate_series(1, ${kunden}) i;
    insert into app.hq (client_id, "sHQ", "dtFE", "dcFLAEHB")
      select client_id, 'Revier ' || client_id, date '2020-02-29', client_id / 7.0
      from app.kunde;
    insert into app.hq_flaeche (hqid, client_id, geom)
      select "idHQ", client_id,
        st_multi(st_buffer(st_setsrid(st_makepoint(500000.123456789 + "idHQ", 5400000.1), 25832),
        100 + "idHQ" / 3.0))
      from app.hq;
    insert into app.benutzer (username, email, geb, reg_date)
      select 'n' || i, 'n' || i || '@example.org', date '1970-01-01' + i,
        timestamptz '2026-01-01 12:00:00.123456+01' + i * interval '1 hour'
      from generate_series(1, ${kunden}) i;
    insert into app.benutzer_kunde (client_id, user_id)
      select client_id, user_id from app.kunde
      join app.benutzer on user_id = client_id;
    insert into app.benutzer_hq (client_id, hqid, user_id, hq_status)
      select client_id, "idHQ", client_id, '{hq_user,hq_admin}'
      from app.hq where client_id % 2 = 0;
    insert into app.gutschein (rabatt_abo, rabatt_kawm, expire_date, laufzeit) values (10.5, 0, '2027-12-31', 12);
    commit`)
