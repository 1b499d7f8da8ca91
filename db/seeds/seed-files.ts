// Rows for the files of the sample: for its sheets the scan, its tiles, and the result with the job that made
// it; for its trees the photos in their sizes. The bytes are made separately (scripts/trial-files.ts).
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import type { SampleTarget } from './target.ts'

export interface TrialFile {
  readonly name: string
  readonly sha256: string
  readonly groesse: number
  readonly breite: number
  readonly hoehe: number
}
export interface TrialSheet {
  readonly karte_id: number
  readonly client_id: number
  readonly scan: TrialFile & { readonly kacheln_sha256: string; readonly dpi: number }
  readonly ergebnis:
    | (TrialFile & { readonly umriss: readonly (readonly [number, number])[]; readonly werte: RectifyValues })
    | null
}

export interface TrialPhoto extends TrialFile {
  readonly habitat_id: number
  /** SHA-256 of each size. */
  readonly klein: string
  readonly mittel: string
  readonly gross: string
  /** As read from the file. */
  readonly aufgenommen_am: string | null
  readonly richtung: number | null
  readonly lon: number | null
  readonly lat: number | null
}
export const photoNamesOf = (photos: readonly TrialPhoto[]): string[] =>
  photos.flatMap(({ sha256, klein, mittel, gross }) => [sha256, klein, mittel, gross])

/** Names of all files that the rows refer to. */
export const fileNamesOf = (sheetList: readonly TrialSheet[]): string[] =>
  sheetList.flatMap(({ scan, ergebnis }) => [
    scan.sha256,
    scan.kacheln_sha256,
    ...(ergebnis === null ? [] : [ergebnis.sha256]),
  ])

/** Requires the sample's plans. */
export async function seedFiles(connection: SampleTarget, sheetList: readonly TrialSheet[]): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query('set local role forst_betrieb')
    for (const { karte_id, client_id, scan, ergebnis } of sheetList) {
      const { rows } = await connection.query<{ id: number }>(
        `insert into app.karte_datei (karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256,
          breite, hoehe, dpi, angelegt_am)
           select $1, $2, 'scan', $3, 'image/jpeg', $4, $5, $6, $7, $8, $9, k.geaendert_am - interval '9 days'
           from app.kartenblatt k where k.id = $1
           returning id`,
        [
          karte_id,
          client_id,
          scan.name,
          scan.groesse,
          scan.sha256,
          scan.kacheln_sha256,
          scan.breite,
          scan.hoehe,
          scan.dpi,
        ],
      )
      if (ergebnis === null) continue
      const { werte } = ergebnis
      await connection.query(
        `insert into app.karte_auftrag (karte_id, client_id, datei_id, art, stand, fortschritt, werte,
          versuche, angelegt_am, begonnen_am, beendet_am)
           select $1, $2, $3, 'entzerren', 'fertig', 100, $4::jsonb, 1,
             k.geaendert_am - interval '12 seconds', k.geaendert_am - interval '11 seconds', k.geaendert_am
           from app.kartenblatt k where k.id = $1`,
        [karte_id, client_id, rows[0]!.id, JSON.stringify(werte)],
      )
      await connection.query(
        `insert into app.karte_datei (karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256,
          breite, hoehe, epsg, umriss, georef_typ, angelegt_am)
           select $1, $2, 'ergebnis', $3, 'image/tiff', $4, $5, $5, $6, $7, $8, $9::jsonb, $10, k.geaendert_am
           from app.kartenblatt k where k.id = $1`,
        [
          karte_id,
          client_id,
          ergebnis.name,
          ergebnis.groesse,
          ergebnis.sha256,
          ergebnis.breite,
          ergebnis.hoehe,
          werte.epsg,
          JSON.stringify(ergebnis.umriss),
          werte.georef_typ,
        ],
      )
    }
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw error
  }
}

/** Requires the sample's trees. */
export async function seedPhotos(connection: SampleTarget, photos: readonly TrialPhoto[]): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query('set local role forst_betrieb')
    await connection.query(
      `insert into app.habitatbilder (kennung, habitat_id, client_id, "idHQ", dateiname, typ, groesse,
        breite, hoehe, sha256, klein, mittel, gross, aufgenommen_am, richtung, exif_lage, exif_abweichung_m,
        titelbild,
         created_at, created_by, geaendert_am, geaendert_von)
       select md5('foto ' || f.nr)::uuid, b.id, b.client_id, b."idHQ", f.name, 'image/jpeg', f.groesse,
         f.breite, f.hoehe, f.sha256, f.klein, f.mittel, f.gross, f.aufgenommen_am, f.richtung, p.lage,
         round(public.st_distance(p.lage::public.geography, b.lage::public.geography)::numeric, 1),
         row_number() over (partition by b.id order by f.nr) = 1,
         coalesce(f.aufgenommen_am, now()), b.erfasser, coalesce(f.aufgenommen_am, now()), b.erfasser
       from rows
       from (json_to_recordset($1::json) as (habitat_id bigint, name text, groesse bigint, breite integer,
         hoehe integer, sha256 text, klein text, mittel text, gross text, aufgenommen_am timestamptz,
           richtung numeric, lon float8, lat float8))
           with ordinality as f(habitat_id, name, groesse, breite, hoehe, sha256, klein, mittel, gross,
           aufgenommen_am, richtung, lon, lat, nr)
         join app.habitatbaeume b on b.id = f.habitat_id
         cross join lateral (select public.st_setsrid(public.st_makepoint(f.lon, f.lat), 4326) as lage) p`,
      [JSON.stringify(photos)],
    )
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw error
  }
}
