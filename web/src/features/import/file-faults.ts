// Why a file cannot be read at all, and what to do about it.
import { t } from '../../ui/text.ts'

export const MAX_FILE_BYTES = 20 * 1024 * 1024
/** The database's limit per import. */
export const MAX_ROWS = 20_000

const TEXTS = {
  leer: 'Die Datei ist leer.',
  zu_gross: 'Die Datei ist größer als {mb} MB. Bitte teilen Sie sie auf.',
  zu_viele_zeilen: 'Die Datei hat {zeilen} Zeilen, auf einmal gehen {grenze}. Bitte teilen Sie sie auf.',
  nur_kopf: 'Die Datei hat nur eine Kopfzeile und keine Daten.',
  altes_excel:
    'Das ist eine Datei im alten Excel-Format (.xls). Bitte speichern Sie sie in Excel als „Excel-Arbeitsmappe ' +
    '(.xlsx)“.',
  geschuetzt: 'Die Datei ist mit einem Passwort geschützt. Bitte speichern Sie sie ohne Passwort.',
  open_document: 'Das ist eine OpenDocument-Datei (.ods). Bitte speichern Sie sie als .xlsx oder .csv.',
  keine_tabelle: 'Das ist keine Tabelle. Lesbar sind Excel-Dateien (.xlsx) und CSV-Dateien.',
  kaputt:
    'Die Datei ist beschädigt und lässt sich nicht lesen. Bitte öffnen Sie sie in Excel und speichern Sie sie neu.',
  zu_tief_gepackt:
    'Die Datei wird beim Auspacken zu groß. Bitte löschen Sie leere Blätter und Formatierungen und speichern ' +
    'Sie sie neu.',
  spalten: 'Die Datei hat mehr als {grenze} Spalten. Bitte löschen Sie die überzähligen.',
} as const

export type FileFaultCode = keyof typeof TEXTS

export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly code: FileFaultCode
  readonly values: Readonly<Record<string, string | number>>
  constructor(code: FileFaultCode, values: Record<string, string | number> = {}) {
    super(code)
    this.code = code
    this.values = values
  }
}

export const fileFaultText = ({ code, values }: Pick<FileFault, 'code' | 'values'>): string =>
  t(TEXTS[code], values)
