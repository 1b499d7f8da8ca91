// From the chosen file to its statements: small files in place, large ones in a worker.
import type { CamtStatement } from '#domain/camt/statement.ts'
import { t } from '../../../ui/text.ts'
import type { StatementAnswer } from './statement.worker.ts'
import { StatementFault, type StatementFaultValues, MAX_BYTES, readStatements } from './read-statements.ts'

const AT_ONCE = 1024 * 1024

export async function readStatementFile(file: File): Promise<CamtStatement[]> {
  if (file.size > MAX_BYTES) throw new StatementFault('gross')
  const bytes = new Uint8Array(await file.arrayBuffer())
  return bytes.length <= AT_ONCE && bytes[0] !== 0x50 ? readStatements(bytes) : readBeside(bytes)
}

function readBeside(bytes: Uint8Array<ArrayBuffer>): Promise<CamtStatement[]> {
  const worker = new Worker(new URL('./statement.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<CamtStatement[]>((resolve, reject) => {
    worker.onmessage = ({ data: { bankStatements, fault } }: MessageEvent<StatementAnswer>) => {
      if (fault) reject(new StatementFault(fault.code, fault.was, fault.datei))
      else resolve(bankStatements ?? [])
    }
    worker.onerror = (event) => reject(new Error(event.message || 'the reader of statements did not start'))
    worker.postMessage(bytes, [bytes.buffer])
  }).finally(() => worker.terminate())
}

/** What is wrong with the file, and what to do about it. */
export function statementFaultText({ code, was, datei }: StatementFaultValues): string {
  const text = faultText(code, was)
  return datei === '' ? text : t('{datei}: {text}', { datei, text })
}
function faultText(code: StatementFaultValues['code'], was: string): string {
  switch (code) {
    case 'datei_leer':
      return t('Die Datei ist leer.')
    case 'gross':
      return t('Die Datei ist größer als 20 MB. Bitte laden Sie einen kürzeren Zeitraum herunter.')
    case 'gemischt':
      return t(
        'Das sind Dateien verschiedener Formate. Bitte lesen Sie die eines Formats ein und danach die anderen; ' +
          'gleiche Umsätze werden dann erkannt.',
      )
    case 'pdf':
      return t(
        'Das ist ein PDF. Bitte laden Sie den Kontoauszug im Online-Banking als CAMT.053 (XML) herunter.',
      )
    case 'csv':
      return t(
        'Das ist eine CSV-Datei. Bitte lesen Sie CSV-Dateien einzeln ein: Bei jeder wird gefragt, was in welcher ' +
          'Spalte steht.',
      )
    case 'csv_gross':
      return t(
        'Die CSV-Datei ist zu groß: Gelesen werden bis zu 5 MB, 50.000 Zeilen und 200 Spalten. Bitte laden Sie ' +
          'einen kürzeren Zeitraum herunter.',
      )
    case 'csv_kaputt':
      return t(
        'In Zeile {zeile} der CSV-Datei fehlt ein Anführungszeichen, oder sie ist unvollständig. Bitte laden Sie ' +
          'sie neu herunter.',
        { zeile: was },
      )
    case 'csv_leer':
      return t('Die CSV-Datei enthält keine Umsätze. Vielleicht passt das Trennzeichen nicht.')
    case 'mt940':
      return t(
        'Zeile {zeile} des Kontoauszugs (MT940) lässt sich nicht lesen. Es wurde nichts eingelesen. Bitte ' +
          'laden Sie die Datei neu herunter, am besten als CAMT.053 (XML).',
        { zeile: was },
      )
    case 'mt940_ende':
      return t(
        'Dem Kontoauszug (MT940) fehlt der Anfangs- oder der Endsaldo; vermutlich ist die Datei unvollständig. ' +
          'Bitte laden Sie sie neu herunter.',
      )
    case 'mt942':
      return t(
        'Das sind untertägige Umsätze (MT942). Sie kommen im Kontoauszug wieder; bitte wählen Sie den ' +
          'Kontoauszug (MT940 oder CAMT.053).',
      )
    case 'tabelle':
      return t(
        'Das ist eine Tabelle oder ein Textdokument. Bitte laden Sie den Kontoauszug im Online-Banking als ' +
          'CAMT.053 (XML) herunter.',
      )
    case 'html':
      return t(
        'Das ist eine Webseite und kein Kontoauszug. Vermutlich war die Anmeldung bei der Bank abgelaufen.',
      )
    case 'unbekannt':
      return t('Das ist kein Kontoauszug. Gelesen werden CAMT.053 (XML), MT940, ZIP-Archive damit und CSV.')
    case 'kodierung':
      return t(
        'Der Text der Datei ist nicht in {kodierung} geschrieben, wie sie angibt. Bitte laden Sie sie neu herunter.',
        {
          kodierung: was.toUpperCase(),
        },
      )
    case 'xml':
      return t(
        'Die Datei ist in Zeile {zeile} beschädigt oder unvollständig. Bitte laden Sie sie neu herunter.',
        { zeile: was },
      )
    case 'dtd':
      return t(
        'Die Datei enthält eine Dokumenttyp-Definition (Zeile {zeile}). Kontoauszüge haben keine; aus ' +
          'Sicherheit wird sie nicht gelesen.',
        {
          zeile: was,
        },
      )
    case 'tief':
      return t(
        'Die Datei ist ungewöhnlich verschachtelt (Zeile {zeile}) und wird aus Sicherheit nicht gelesen.',
        { zeile: was },
      )
    case 'archiv':
      return t('Das Archiv ist beschädigt. Bitte laden Sie es neu herunter.')
    case 'archiv_geschuetzt':
      return t(
        'Das Archiv ist mit einem Passwort geschützt. Bitte packen Sie es aus und wählen Sie die Dateien ohne ' +
          'Passwort.',
      )
    case 'archiv_leer':
      return t('In dem Archiv ist kein Kontoauszug (CAMT.053 oder MT940), oder es sind mehr als 500.')
    case 'camt052':
      return t(
        'Das ist ein Zwischenbericht (CAMT.052). Seine Umsätze kommen im Kontoauszug wieder; bitte wählen Sie ' +
          'den Kontoauszug (CAMT.053).',
      )
    case 'camt054':
      return t(
        'Das ist eine Umsatzanzeige (CAMT.054). Ihre Umsätze kommen im Kontoauszug wieder; bitte wählen Sie ' +
          'den Kontoauszug (CAMT.053).',
      )
    case 'kein_camt':
      return t('Das ist eine andere XML-Datei ({was}) und kein Kontoauszug. Gelesen wird CAMT.053.', { was })
    case 'version':
      return t(
        'Diese Fassung des Kontoauszugs wird nicht gelesen: {was}. Gelesen wird CAMT.053 ab Version 001.02.',
        { was },
      )
    case 'leer':
      return t('Die Datei enthält keinen Kontoauszug.')
    case 'waehrung':
      return t('Das Konto wird in {waehrung} geführt. Gelesen werden Konten in Euro.', { waehrung: was })
    case 'betrag':
      return t(
        'Der Betrag eines Umsatzes lässt sich nicht lesen: {was}. Bitte laden Sie die Datei neu herunter.',
        { was },
      )
    case 'datum':
      return t(
        'Das Buchungsdatum eines Umsatzes lässt sich nicht lesen: {was}. Bitte laden Sie die Datei neu herunter.',
        { was },
      )
  }
}
