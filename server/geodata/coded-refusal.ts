// Refusals of import and export with a stable code: the browser says them in the reader's language, other
// clients get the German sentence.
import type { ErrorCode } from '#contract/errors.ts'
import type { ImportRule } from '#contract/vermessung-import.ts'
import { Refusal } from '#server/errors.ts'

type Values = Readonly<Record<string, string | number>>

const RULES: Readonly<Record<ImportRule, readonly [code: ErrorCode, satz: string]>> = {
  import_datei_gross: ['too_large', 'Die Datei ist größer als {mb} MB. Bitte teilen Sie sie auf.'],
  import_kein_platz: [
    'storage_full',
    'Auf dem Server ist kein Speicherplatz mehr frei. Bitte wenden Sie sich an den Support.',
  ],
  import_schon_fertig: [
    'conflict',
    'Diese Datei ist schon importiert. Laden Sie sie für einen weiteren Import neu hoch.',
  ],
  import_datei_weg: [
    'conflict',
    'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
  ],
  import_laeuft: [
    'conflict',
    'Für diesen Kunden läuft schon ein Import. Bitte warten Sie, bis er fertig ist.',
  ],
  import_modus: ['bad_value', 'Bitte wählen Sie, was mit vorhandenen Objekten geschieht.'],
  import_ohne_schicht: ['bad_value', 'Bitte wählen Sie mindestens eine Schicht.'],
  import_schicht_fremd: ['bad_value', 'Diese Schicht gibt es in der Datei nicht.'],
  import_tabelle: ['bad_value', 'Bitte wählen Sie, was die Schicht „{schicht}“ enthält.'],
  import_epsg: [
    'bad_value',
    'Das Koordinatensystem der Schicht „{schicht}“ kann dieser Server nicht umrechnen. Bitte wählen Sie ein anderes.',
  ],
  import_ort: ['bad_value', 'Bitte wählen Sie die Spalten mit Ost- und Nordwert der Schicht „{schicht}“.'],
  export_epsg: ['bad_value', 'Dieses Koordinatensystem kann der Server nicht umrechnen.'],
}

export class CodedRefusal extends Refusal {
  readonly hint: ImportRule
  readonly werte: Values
  constructor(rule: ImportRule, values: Values = {}) {
    const [code, sentence] = RULES[rule]
    super(
      code,
      sentence.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? '')),
    )
    this.hint = rule
    this.werte = values
  }
}
