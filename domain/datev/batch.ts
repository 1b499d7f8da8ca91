// Export of issued invoices, and optionally of their payments and of received invoices, to DATEV: a
// Buchungsstapel in the format EXTF 700, category 21, version 13. One line per invoice, tax group and month of
// supply, debtor against revenue account, gross; DATEV extracts the tax by the account (an automatic one) or by the
// key. Format reference: developer.datev.de, "DATEV-Format".
import { isDay } from '../day.ts'
import { encodeWindows1252 } from '../windows-1252.ts'
import { differenceFaults, notesOf } from './differences.ts'
import { compactDay, DATEV_COLUMNS, fiscalYearStart, headOf } from './format.ts'
import type { DatevBatch, DatevFault, DatevJob } from './job.ts'
import { faultOf, writeBeleg, writeZahlung, type Writing } from './postings.ts'
import { PACKAGE_BYTES, PACKAGE_FILES, PICTURE_BYTES } from './pictures.ts'
import { writeEingang } from './received.ts'
import { keyFaults } from './tax-keys.ts'

const MOST_LINES = 99_999

function settingFaults({ von, bis, setting }: DatevJob): DatevFault[] {
  const faults: DatevFault[] = []
  const say = (code: DatevFault['code'], text: string): void => {
    faults.push({ nummer: '', code, text, severity: 'fehler' })
  }
  if (!/^\d{4,7}$/.test(setting.adviser) || Number(setting.adviser) < 1001)
    say(
      'berater',
      setting.adviser === ''
        ? 'Die Beraternummer fehlt. Bitte in den Einstellungen eintragen.'
        : 'Die Beraternummer hat 4 bis 7 Ziffern und beginnt bei 1001. Bitte in den Einstellungen berichtigen.',
    )
  if (!/^[1-9]\d{0,4}$/.test(setting.mandant))
    say(
      'mandant',
      setting.mandant === ''
        ? 'Die Mandantennummer fehlt. Bitte in den Einstellungen eintragen.'
        : 'Die Mandantennummer hat 1 bis 5 Ziffern und beginnt nicht mit 0. Bitte in den Einstellungen berichtigen.',
    )
  if (!Number.isInteger(setting.accountDigits) || setting.accountDigits < 4 || setting.accountDigits > 8)
    say('kontenlaenge', 'Sachkonten haben 4 bis 8 Stellen. Bitte in den Einstellungen berichtigen.')
  if (!isDay(von) || !isDay(bis) || bis < von)
    say('zeitraum', 'Der Zeitraum endet, bevor er beginnt. Bitte berichtigen.')
  // The date in a line has no year.
  else if (fiscalYearStart(von, setting.fiscalYearMonth) !== fiscalYearStart(bis, setting.fiscalYearMonth))
    say(
      'wirtschaftsjahr',
      'Der Zeitraum reicht über ein Wirtschaftsjahr hinaus. Bitte je Jahr einmal exportieren.',
    )
  return faults
}

function fitsPackage(eingang: NonNullable<DatevJob['eingang']>): boolean {
  const sizes = eingang.map(({ groesse }) => groesse).filter((size) => size <= PICTURE_BYTES)
  return sizes.length <= PACKAGE_FILES && sizes.reduce((one, other) => one + other, 0) <= PACKAGE_BYTES
}

/** In the given order; the same input gives the same bytes. */
export function datevBatch(jobSpec: DatevJob): DatevBatch {
  const faults = [...settingFaults(jobSpec), ...keyFaults(jobSpec.setting)]
  const lines: string[] = []
  const writing: Writing = { jobSpec, lines, received: [], faults, fehlend: new Map() }
  for (const each of jobSpec.belege) writeBeleg(each, writing)
  for (const each of jobSpec.zahlungen ?? []) writeZahlung(each, writing)
  for (const each of jobSpec.eingang ?? []) writeEingang(each, writing)
  faults.push(...[...writing.fehlend.values()].map(faultOf))
  faults.push(...differenceFaults(jobSpec.differences ?? [], jobSpec.allDifferences))
  if (lines.length === 0 && !faults.some(({ severity }) => severity === 'fehler'))
    faults.push({
      nummer: '',
      code: 'leer',
      text: 'In diesem Zeitraum gibt es nichts zu buchen. Bitte einen anderen wählen.',
      severity: 'fehler',
    })
  if (lines.length > MOST_LINES)
    faults.push({
      nummer: '',
      code: 'zeitraum',
      text: 'DATEV nimmt höchstens 99.999 Zeilen je Datei. Bitte einen kürzeren Zeitraum wählen.',
      severity: 'fehler',
    })
  if (!fitsPackage(jobSpec.eingang ?? []))
    faults.push({
      nummer: '',
      code: 'belegbild',
      text: 'DATEV nimmt höchstens 4.999 Belegbilder mit zusammen 465 MB. Bitte einen kürzeren Zeitraum wählen.',
      severity: 'fehler',
    })
  const { bytes, replaced } = encodeWindows1252(
    [headOf(jobSpec), DATEV_COLUMNS.join(';'), ...lines, ''].join('\r\n'),
  )
  if (replaced > 0)
    faults.push({
      nummer: '',
      code: 'zeichen',
      text: `${replaced} Zeichen kennt DATEV nicht; sie wurden ersetzt.`,
      severity: 'hinweis',
    })
  const isRefused = faults.some(({ severity }) => severity === 'fehler')
  return {
    dateiname: `EXTF_Buchungsstapel_${compactDay(jobSpec.von)}_${compactDay(jobSpec.bis)}.csv`,
    bytes: isRefused ? new Uint8Array() : bytes,
    zeilen: isRefused ? 0 : lines.length,
    ausgelassen: [
      ...new Set(faults.flatMap(({ severity, nummer }) => (severity === 'ausgelassen' ? [nummer] : []))),
    ],
    eingang: isRefused ? [] : writing.received,
    hinweise: isRefused ? [] : notesOf(jobSpec.differences ?? []),
    faults,
  }
}
