// Why an import did not happen, for programs: the same reasons that the screens get.
import type { ImportReason } from '#contract/vermessung-import.ts'
import { Refusal } from '#server/errors.ts'
import { ArrivalFault } from '#server/files/arrivals.ts'
import { ImportRefusal, refusal } from '#server/program-import.ts'
import { CodedRefusal } from './coded-refusal.ts'
import { ReaderEndedError } from './foreign.ts'
import { REASONS } from './reasons.ts'
import { FileFault } from './source.ts'

export function importFault(reason: Exclude<ImportReason, 'fehler' | 'ort' | 'verschiebung'>): Refusal {
  switch (reason) {
    case 'zeit':
      return refusal('zeit')
    case 'datei':
      return new ImportRefusal('bad_value', 'datei_kaputt', REASONS.datei_kaputt)
    case 'platz':
      return coded(new CodedRefusal('import_kein_platz')) as Refusal
    case 'datenbank':
      return new Refusal('internal')
    case 'server':
    case 'abgebrochen':
      return refusal('import_server')
  }
}

/** What geodata throws, as programs get it. */
export function coded(error: unknown): unknown {
  if (error instanceof FileFault) return new ImportRefusal('bad_value', error.code, REASONS[error.code])
  if (error instanceof ReaderEndedError) return refusal('import_server')
  if (error instanceof CodedRefusal || error instanceof ArrivalFault)
    return new ImportRefusal(error.code, error.hint, error.message, error.werte)
  return error
}
