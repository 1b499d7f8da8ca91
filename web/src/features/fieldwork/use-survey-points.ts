// Survey objects of the open pack with pending changes applied, read again when something changes.
import { useMemo } from 'react'
import { inputsOf } from '../../record/kataster/survey-form.ts'
import type { CaptureState, FieldworkPacket } from './fieldwork-db.ts'
import { fetchObjectViews } from './queue-read.ts'
import type { ObjectView } from './survey-capture.ts'
import { parsePlaces, type SurveyShape } from '../../karte/survey-place.ts'
import { type Quality, qualityOf } from './survey-quality.ts'
import { objectName } from './survey-words.ts'
import { useStored } from './use-stored.ts'

export interface SurveyPoint extends SurveyShape {
  /** Its key, for the map. */
  readonly label: string
  readonly quality: Quality
  /** Null if nothing is pending. */
  readonly stand: CaptureState | null
}
export const surveyPointOf = ({ kennung, tabelle, werte, stand }: ObjectView): SurveyPoint => ({
  kennung,
  tabelle,
  name: objectName(tabelle, werte),
  label: String(werte['schluessel'] ?? ''),
  parts: parsePlaces(String(werte['lage'] ?? '')),
  surveyed: werte['vermessen'] === true,
  quality: qualityOf(inputsOf(tabelle, werte)),
  stand,
})

const NONE: readonly SurveyPoint[] = []
/** What waits to be deleted is not there any more for the person. */
export function useSurveyPoints({ idHQ, geholt_am }: FieldworkPacket): readonly SurveyPoint[] {
  const { data } = useStored((db, sub) => fetchObjectViews(db, sub, idHQ), `${idHQ} ${geholt_am}`)
  return useMemo(
    () => data?.filter(({ werte }) => werte['geloescht'] !== true).map(surveyPointOf) ?? NONE,
    [data],
  )
}
