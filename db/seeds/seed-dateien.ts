// Rows of the files that belong to the sample's sheets: the scan, its tiles, and the result with the order that made it. The bytes are made beside (scripts/trial-files.ts).
import type { EntzerrenWerte } from '#contract/karte-dateien.ts'
import type { OwnerConnection } from '#server/database/database.ts'

export interface ProbeDatei {
  readonly name: string
  readonly sha256: string
  readonly groesse: number
  readonly breite: number
  readonly hoehe: number
}
export interface ProbeBlatt {
  readonly karte_id: number
  readonly client_id: number
  readonly scan: ProbeDatei & { readonly kacheln_sha256: string; readonly dpi: number }
  readonly ergebnis: (ProbeDatei & { readonly umriss: readonly (readonly [number, number])[]; readonly werte: EntzerrenWerte }) | null
}

/** Names of all files that the rows stand for. */
export const namenOf = (blaetter: readonly ProbeBlatt[]): string[] =>
  blaetter.flatMap(({ scan, ergebnis }) => [scan.sha256, scan.kacheln_sha256, ...(ergebnis === null ? [] : [ergebnis.sha256])])

/** After the sample: its plans must be there. */
export async function seedDateien(connection: OwnerConnection, blaetter: readonly ProbeBlatt[]): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query('set local role forst_betrieb')
    for (const { karte_id, client_id, scan, ergebnis } of blaetter) {
      const { rows } = await connection.query<{ id: number }>(
        `insert into app.karte_datei (karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256, breite, hoehe, dpi, angelegt_am)
           select $1, $2, 'scan', $3, 'image/jpeg', $4, $5, $6, $7, $8, $9, k.geaendert_am - interval '9 days' from app.kartenblatt k where k.id = $1 returning id`,
        [karte_id, client_id, scan.name, scan.groesse, scan.sha256, scan.kacheln_sha256, scan.breite, scan.hoehe, scan.dpi],
      )
      if (ergebnis === null) continue
      const { werte } = ergebnis
      await connection.query(
        `insert into app.karte_auftrag (karte_id, client_id, datei_id, art, stand, fortschritt, werte, versuche, angelegt_am, begonnen_am, beendet_am)
           select $1, $2, $3, 'entzerren', 'fertig', 100, $4::jsonb, 1, k.geaendert_am - interval '12 seconds', k.geaendert_am - interval '11 seconds', k.geaendert_am from app.kartenblatt k where k.id = $1`,
        [karte_id, client_id, rows[0]!.id, JSON.stringify(werte)],
      )
      await connection.query(
        `insert into app.karte_datei (karte_id, client_id, art, name, mime, groesse, sha256, kacheln_sha256, breite, hoehe, epsg, umriss, georef_typ, angelegt_am)
           select $1, $2, 'ergebnis', $3, 'image/tiff', $4, $5, $5, $6, $7, $8, $9::jsonb, $10, k.geaendert_am from app.kartenblatt k where k.id = $1`,
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
