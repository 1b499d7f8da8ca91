// The typesetter as other rooms use it: takes a report's texts, returns PDF/A-3a, and says what went wrong
// in words for the reader.
import { reasonForLog } from '#server/database/log-reason.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import type { Typeset } from '#server/typeset-job.ts'
import { DocumentFault, type DocumentFaultCode, type Renderer } from './renderer.ts'

const SAID: Readonly<Record<DocumentFaultCode, () => Refusal>> = {
  logo: () =>
    new Refusal(
      'internal',
      'Der Bericht konnte nicht erstellt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  satz: () =>
    new Refusal(
      'internal',
      'Der Bericht konnte nicht erstellt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  absturz: () =>
    new Refusal(
      'internal',
      'Der Bericht konnte nicht erstellt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  zeit: () =>
    new Refusal(
      'timeout',
      'Der Bericht wurde nicht rechtzeitig fertig. Bitte filtern Sie die Liste, oder verzichten Sie auf Fotos.',
    ),
  voll: () =>
    new Refusal(
      'unavailable',
      'Zurzeit werden viele Berichte erstellt. Bitte versuchen Sie es in einigen Minuten noch einmal.',
    ),
  beendet: () =>
    new Refusal('unavailable', 'Der Server wird gerade beendet. Bitte versuchen Sie es gleich noch einmal.'),
}

/** If the logo cannot be typeset, the report is made without it. */
export function createReportTypesetter(renderer: Pick<Renderer, 'bericht'>, log: Log): Typeset {
  return async (jobSpec) => {
    try {
      return await renderer.bericht(jobSpec)
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      log.error('report not set', { code: error.code, reason: reasonForLog(error) })
      if (
        (error.code === 'satz' || error.code === 'absturz') &&
        jobSpec.bilder.some(({ filePath }) => filePath.startsWith('/logo.'))
      )
        return createReportTypesetter(
          renderer,
          log,
        )({
          ...jobSpec,
          daten: { ...jobSpec.daten, logo: null },
          bilder: jobSpec.bilder.filter(({ filePath }) => !filePath.startsWith('/logo.')),
        })
      throw SAID[error.code]()
    }
  }
}
