// The calls of the import: what a file holds, a look at what would become of it, and the import. The file goes with each of them.
import { type HabitatDateiLage, type HabitatImportErgebnis, type HabitatImportWerte, habitatDateiWege } from '#contract/habitat-datei.ts'
import { callGeneral } from '../../data/client.ts'
import { wegOf } from '../../karte/weg.ts'

/** 64 MB over a slow line, and 20,000 trees checked by the database. */
const TIMEOUT_MS = 30 * 60_000

const sende = <T>(weg: string, file: File, signal?: AbortSignal): Promise<T> =>
  callGeneral('POST', wegOf(weg), { body: file, quiet: true, timeoutMs: TIMEOUT_MS, signal })

export const fetchLage = (hq: string, file: File, signal: AbortSignal) =>
  sende<HabitatDateiLage>(habitatDateiWege.lage(hq, file.name), file, signal)
export const checkDatei = (hq: string, file: File, werte: HabitatImportWerte, signal: AbortSignal) =>
  sende<HabitatImportErgebnis>(habitatDateiWege.pruefen(hq, file.name, werte), file, signal)
/** Not to be broken off: the server takes all of it, whether somebody still waits or not. */
export const startDatei = (hq: string, file: File, werte: HabitatImportWerte) =>
  sende<HabitatImportErgebnis>(habitatDateiWege.importieren(hq, file.name, werte), file)
