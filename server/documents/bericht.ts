// The typesetter as other rooms use it: a report's texts in, PDF/A-3a out, and what went wrong in words for the reader.
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import type { Satz } from '#server/satzauftrag.ts'
import { DokumentFault, type DokumentFaultCode, type Renderer } from './renderer.ts'

const SAID: Readonly<Record<DokumentFaultCode, () => Refusal>> = {
  logo: () => new Refusal('internal', 'Der Bericht konnte nicht gesetzt werden. Der Fehler ist im Protokoll des Servers vermerkt.'),
  satz: () => new Refusal('internal', 'Der Bericht konnte nicht gesetzt werden. Der Fehler ist im Protokoll des Servers vermerkt.'),
  absturz: () => new Refusal('internal', 'Der Bericht konnte nicht gesetzt werden. Der Fehler ist im Protokoll des Servers vermerkt.'),
  zeit: () =>
    new Refusal('timeout', 'Der Bericht wurde nicht rechtzeitig fertig. Bitte filtern Sie die Liste, oder verzichten Sie auf Fotos.'),
  voll: () => new Refusal('unavailable', 'Zurzeit werden viele Berichte erstellt. Bitte versuchen Sie es in einigen Minuten noch einmal.'),
  beendet: () => new Refusal('unavailable', 'Der Server wird gerade beendet. Bitte versuchen Sie es gleich noch einmal.'),
}

/** A logo that cannot be set costs the report its logo and not the reader the report. */
export function createSatz(renderer: Pick<Renderer, 'bericht'>, log: Log): Satz {
  return async (auftrag) => {
    try {
      return await renderer.bericht(auftrag)
    } catch (error) {
      if (!(error instanceof DokumentFault)) throw error
      log.error('report not set', { code: error.code, reason: error.message.slice(0, 300) })
      if ((error.code === 'satz' || error.code === 'absturz') && auftrag.bilder.some(({ pfad }) => pfad.startsWith('/logo.')))
        return createSatz(
          renderer,
          log,
        )({
          ...auftrag,
          daten: { ...auftrag.daten, logo: null },
          bilder: auftrag.bilder.filter(({ pfad }) => !pfad.startsWith('/logo.')),
        })
      throw SAID[error.code]()
    }
  }
}
