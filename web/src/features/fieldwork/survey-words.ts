// What a survey object, and any entry of the queue, is called.
import type { Table } from '#domain/vermessung/fields.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { t } from '../../ui/text.ts'
import { borderName, borderValuesOf } from './border-capture.ts'
import { treeViewOf } from './capture.ts'
import type { AnyCapture } from './fieldwork-db.ts'
import { objectViewOf } from './survey-capture.ts'
import type { SurveyValues } from '../../record/kataster/survey-values.ts'

export const objectName = (table: Table, values: Partial<SurveyValues>): string =>
  `${kindWords(table).one} ${values['schluessel'] ? String(values['schluessel']) : t('(neu)')}`

export function entryName(capture: AnyCapture): string {
  if (capture.tabelle === 'grenzvorschlag') return borderName(borderValuesOf(capture))
  if (capture.tabelle !== undefined)
    return objectName(capture.tabelle, objectViewOf(undefined, capture)?.werte ?? {})
  const view = treeViewOf(undefined, capture)
  return view === null ? t('Baum') : treeName(view.werte)
}
/** Its page in the field mode. */
export const entryHref = ({
  tabelle,
  kennung,
}: {
  readonly tabelle?: AnyCapture['tabelle']
  readonly kennung: string
}): string =>
  `/feld/${tabelle === undefined ? 'baum' : tabelle === 'grenzvorschlag' ? 'grenze' : 'objekt'}/${kennung}`
