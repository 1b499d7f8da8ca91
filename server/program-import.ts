// An import that programs start by one request (server/imports): what a room gives that can do it, and what it is
// given. The room reads, checks and writes as it does for the screens.
import type { Caller } from './caller.ts'
import type { Statement } from './database/database.ts'
import { Refusal } from './errors.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** Whose sentences explain the codes of the faults; see server/imports/words.json. */
export type FaultWords = 'kunden' | 'objekt' | 'bestand' | 'baum' | 'auszug'

/** What is wrong with a row. At most a thousand are listed. */
export interface RowFault {
  /** Of the files that have several. */
  readonly schicht?: string
  /** As the file numbers them. */
  readonly zeile: number
  readonly feld: string | null
  readonly code: string
  /** What the sentence names. */
  readonly angaben: Readonly<Record<string, string | number>>
  /** A warning prevents nothing. */
  readonly stufe: 'fehler' | 'warnung'
}

export interface ImportResult {
  /** What was imported, or would be. */
  readonly zahlen: Readonly<Record<string, number>>
  readonly fehlerzahl: number
  readonly fehler: readonly RowFault[]
  /** What of the file is not taken over, as the screens get it. */
  readonly hinweise?: readonly object[]
  /** The rows that came into being, as far as the screens get them. */
  readonly angelegt?: readonly object[]
}

export interface ImportFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly type: string
}

export interface ImportOrder {
  readonly caller: Caller
  readonly file: ImportFile
  /** Settings in the address, such as the customer. */
  readonly settings: Readonly<Record<string, string>>
  /** Nothing is written. */
  readonly isProbe: boolean
  readonly signal: AbortSignal
  onProgress(percent: number): void
  /** Runs in the transaction that imports: its answer is kept with it, or neither is there. */
  keep(result: ImportResult): Statement
}

export interface ProgramImport {
  /** In the address. */
  readonly was: string
  /** What the keys of programs need: the relation that is written, or rpc/name. */
  readonly programs: string
  readonly words: FaultWords
  /** Of a file. */
  readonly mostBytes: number
  /** Names of the settings, with those that are needed. */
  readonly settings: Readonly<Record<string, 'needed' | 'possible'>>
  /**
   * Asked before the file is received: whether the caller may import there. What is written is checked again
   * where it is written. @throws Refusal
   */
  may(caller: Caller, settings: ImportOrder['settings']): Promise<unknown>
  /** @throws Refusal; RowsRefusedError if rows have faults */
  run(order: ImportOrder): Promise<ImportResult>
}

/** Nothing is imported because of these rows. */
export class RowsRefusedError extends Error {
  override readonly name = 'RowsRefusedError'
  readonly result: ImportResult
  constructor(result: ImportResult) {
    super('rows with faults')
    this.result = result
  }
}

/** A refusal with a code by which programs know it. */
export class ImportRefusal extends Refusal {
  readonly hint: string
  readonly werte: Readonly<Record<string, string | number>>
  constructor(
    code: ErrorCode,
    hint: string,
    message: string,
    values: Readonly<Record<string, string | number>> = {},
  ) {
    super(code, message)
    this.hint = hint
    this.werte = values
  }
}

/** By their codes: what is refused, whichever import it is. */
export const IMPORT_ANSWERS = {
  ort: [
    'bad_value',
    'Ein Teil der Daten liegt weit entfernt: {zahl} von {gesamt}, bis zu {km} km ({zeilen}). Es wurde nichts ' +
      'übernommen; bitte prüfen Sie das Koordinatensystem und diese Zeilen, oder bestätigen Sie den Ort.',
  ],
  verschiebung: [
    'bad_value',
    'Objekte, deren Kennung schon vergeben ist, liegen in der Datei an anderer Stelle: {zahl}, bis zu {meter} m ' +
      'entfernt ({kennungen}). Es wurde nichts übernommen; bitte prüfen Sie, ob die Spalte mit der Kennung stimmt, ' +
      'oder bestätigen Sie die Verschiebung.',
  ],
  zeit: [
    'timeout',
    'Der Import wurde nicht rechtzeitig fertig. Es wurde nichts übernommen; bitte teilen Sie die Datei auf.',
  ],
  import_unbekannt: ['not_found', 'Diesen Import gibt es nicht. Möglich sind: {namen}.'],
  import_json: ['bad_value', 'Die Angabe „{name}“ ist kein JSON. Bitte prüfen Sie sie.'],
  import_angabe_fehlt: ['bad_value', 'Die Angabe „{name}“ fehlt in der Adresse.'],
  import_angabe_fremd: [
    'bad_value',
    'Die Angabe „{name}“ gibt es bei diesem Import nicht. Möglich sind: {namen}.',
  ],
  import_angabe_wert: [
    'bad_value',
    'Der Wert der Angabe „{name}“ ist ungültig. Möglich ist zum Beispiel: {wert}.',
  ],
  import_doppelte: ['bad_value', 'Für „doppelte“ gibt es nur „anhalten“ und „ueberspringen“.'],
  import_konto: [
    'bad_value',
    'Der Auszug gehört zum Konto {konto}, in den Einstellungen steht ein anderes. Gehört es dem Unternehmen, ' +
      'geben Sie es als „konto“ an.',
  ],
  import_schluessel: [
    'bad_value',
    'Bitte schicken Sie den Kopf Idempotency-Key mit 16 bis 64 Buchstaben, Ziffern, - oder _, damit nichts ' +
      'zweimal importiert wird.',
  ],
  key_reused: [
    'bad_value',
    'Dieser Idempotency-Key gehört zu einem anderen Import. Bitte nehmen Sie einen neuen.',
  ],
  import_fehler: ['bad_value', 'Einige Zeilen der Datei sind fehlerhaft. Es wurde nichts übernommen.'],
  import_viele: [
    'too_many_requests',
    'Von Ihnen laufen schon {zahl} Importe. Bitte warten Sie, bis der erste fertig ist.',
  ],
  upload_viele: [
    'too_many_requests',
    'Von Ihnen werden schon {zahl} Dateien angenommen. Bitte warten Sie, bis die erste fertig ist.',
  ],
  import_voll: [
    'too_many_requests',
    'Der Server nimmt gerade schon {zahl} Dateien an. Bitte versuchen Sie es in einer Minute noch einmal.',
  ],
  import_server: [
    'unavailable',
    'Der Server wurde während des Imports beendet. Es wurde nichts übernommen; bitte starten Sie den Import noch ' +
      'einmal.',
  ],
} as const satisfies Record<string, readonly [ErrorCode, string]>

export type ImportAnswerCode = keyof typeof IMPORT_ANSWERS

export function refusal(
  hint: ImportAnswerCode,
  values: Readonly<Record<string, string | number>> = {},
): ImportRefusal {
  const [code, text] = IMPORT_ANSWERS[hint]
  const message = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  return new ImportRefusal(code, hint, message, values)
}

/** A setting that is JSON; undefined without it. @throws ImportRefusal */
export function jsonSetting(settings: ImportOrder['settings'], name: string): unknown {
  const text = settings[name]
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('import_json', { name })
  }
}
