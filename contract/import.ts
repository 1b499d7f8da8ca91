// Import of customers: what the procedures take and return (db/nouns/import.sql). The values of a row are
// those of domain/import-row.ts.

export interface ImportRun {
  import_id: number
  user_id: number
  dateiname: string
  doppelte: 'anhalten' | 'ueberspringen'
  zustand: 'offen' | 'fertig' | 'fehlerhaft'
  angelegt_am: string
  bericht: ImportReport | null
}

export interface ImportMappingRow {
  user_id: number
  /** Key of the set of headings. */
  kopf: string
  /** Heading → field. */
  felder: Record<string, unknown>
  geaendert_am: string
}

/** A fault found by the database; the texts are in domain/import-faults.ts. */
export interface ImportFault {
  zeile: number
  feld: string
  art: string
  angaben: Record<string, string | number>
}

/** If there are faults, nothing was imported. At most 1,000 of them are listed. */
export interface ImportReport {
  zustand: 'fertig' | 'fehlerhaft'
  kunden: number
  forstbetriebe: number
  uebersprungen: number
  fehlerzahl: number
  fehler: ImportFault[]
  angelegt: {
    client_id: number
    name: string
    plz: string
    ort: string
    zeile: number
    forstbetriebe: { zeile: number; hqid: number }[]
  }[]
}

/** Procedures of the import, part of the table in rpc.ts. */
export interface ImportRpc {
  a_import_set_zuordnung: { takes: { kopf: string; felder: Record<string, string> }; answers: null }
  a_import_find_kunden: {
    takes: { kunden: { name: string; plz: string }[] }
    answers: { nr: number; client_id: number; name: string }[]
  }
  a_import_zeilen: {
    takes: { import_id: number; zeilen: { zeile: number; werte: object }[] }
    answers: number
  }
  a_import_kunden: { takes: { import_id: number }; answers: ImportReport }
}
