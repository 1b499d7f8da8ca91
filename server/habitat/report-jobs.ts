// What is asked of a report or an evidence, accepted only as far as it makes sense.
import {
  REPORT_MOST_TREES,
  REPORT_PHOTOS,
  type ReportJob,
  type ReportPhotos,
  type EvidenceJob,
} from '#contract/habitat-report.ts'
import { isDay } from '#domain/day.ts'
import { Refusal } from '#server/errors.ts'

const MOST_WORDS = 30
const LONGEST_WORD = 200

const objectOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
const wrong = (message: string): never => {
  throw new Refusal('bad_value', message)
}
const photosOf = (value: unknown): ReportPhotos =>
  REPORT_PHOTOS.find((one) => one === value) ??
  wrong('Diese Auswahl der Fotos gibt es nicht. Bitte laden Sie die Seite neu.')

/** @throws Refusal */
export function reportJobOf(body: unknown): ReportJob {
  const { ids, filter, fotos } = objectOf(body)
  const known = (id: unknown): boolean => /^[1-9]\d{0,14}$/.test(String(id))
  if (ids !== null && !(Array.isArray(ids) && ids.length > 0 && ids.every(known)))
    return wrong('Es ist kein Baum gewählt. Bitte wählen Sie Bäume aus, oder setzen Sie den Filter zurück.')
  if (ids !== null && ids.length > REPORT_MOST_TREES)
    return wrong(
      'Für einen Bericht sind das zu viele Bäume. Höchstens ' +
        `${REPORT_MOST_TREES.toLocaleString('de-DE')} passen hinein. ` +
        'Filtern Sie die Liste, zum Beispiel nach Revier oder Abteilung, ' +
        'und erstellen Sie mehrere Berichte.',
    )
  if (
    !Array.isArray(filter) ||
    filter.length > MOST_WORDS ||
    !filter.every((word) => typeof word === 'string' && word.length <= LONGEST_WORD)
  )
    return wrong('Dieser Filter lässt sich nicht anwenden. Bitte laden Sie die Seite neu.')
  return { ids: ids as number[] | null, filter: filter as string[], fotos: photosOf(fotos) }
}

/** @throws Refusal */
export function evidenceJobOf(body: unknown): EvidenceJob {
  const { tag, fotos } = objectOf(body)
  if (typeof tag !== 'string' || !isDay(tag) || tag < '2000-01-01')
    return wrong('Bitte nennen Sie den Stichtag, zum Beispiel den 31.12. des letzten Jahres.')
  const chosen = photosOf(fotos)
  return { tag, fotos: chosen === 'alle' ? 'titel' : chosen }
}
