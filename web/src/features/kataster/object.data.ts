// One survey object in the office: read, saved and deleted by the procedure of the field mode, so that version,
// conflict and rules are the same; its photos and history.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { HistoryEntry } from '#contract/history.ts'
import { surveyImagePaths } from '#contract/survey-images.ts'
import type { SurveyCapture, SurveySyncAnswer } from '#contract/vermessung.ts'
import { and, eq, or } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { rpc } from '../../data/rpc.ts'
import { selectOne, selectPage } from '../../data/rows.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { type ObjectRow, SAID_OF_PLACE } from './object-form.ts'
import { placeOf } from './place-text.ts'
import type { PhotosOf } from '../../record/photos/photos.ts'
import { historyQuery } from '../../record/history.data.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { objectQuery, type ObjectRecord, type ObjectTarget, targetText } from './kataster.data.ts'

export const objectHref = (target: ObjectTarget): string => `/kataster/objekt/${targetText(target)}`
export const objectName = ({ art, id }: ObjectTarget, record?: Pick<ObjectRecord, 'schluessel'>): string =>
  `${kindWords(art).one} ${record?.schluessel ?? id}`

/** With the name of a person who changed it last, if the history knows one. */
export const rowOf = (record: ObjectRecord, by: string | null = null): ObjectRow =>
  ({
    ...record,
    lage: placeOf(record.g3857.coordinates),
    geaendert_am: record.geaendert_am ?? record.angelegt_am,
    geaendert_von: by,
  }) as unknown as ObjectRow

const historyFilter = ({ art, id }: ObjectTarget, identifier: string) =>
  or(
    and(eq('tabelle', art), eq('schluessel', String(id))),
    and(eq('tabelle', 'vermessungsbilder'), eq('schluessel', identifier)),
  )
const keyOf = ({ art, id }: ObjectTarget) => objectQuery({ art, id }).queryKey
export const objectHistory = (target: ObjectTarget, identifier: string) =>
  historyQuery(keyOf(target), [historyFilter(target, identifier)])
/** Who changed the object last. */
const lastChange = async ({ art, id }: ObjectTarget): Promise<string | null> =>
  (
    await selectPage<HistoryEntry>('verlauf', {
      filters: [eq('tabelle', art), eq('schluessel', String(id))],
      order: [{ column: 'id', descending: true }],
      limit: 1,
      count: 'none',
    })
  ).rows[0]?.wer ?? null
export const changedByQuery = (target: ObjectTarget, version: number) =>
  queryOptions({
    queryKey: [...keyOf(target), 'wer', version],
    queryFn: () => lastChange(target),
    staleTime: Infinity,
  })

export const photosOf = (target: ObjectTarget, record: ObjectRecord, team: boolean): PhotosOf => ({
  table: 'vermessungsbilder',
  filter: eq('objekt', record.kennung),
  key: keyOf(target),
  name: objectName(target, record),
  upload: (photo) => surveyImagePaths.upload(target.art, record.kennung, photo),
  mayAdd: team,
  mayDelete: team,
  words: {
    none: team
      ? t('Ein Foto zeigt, woran man das Objekt erkennt und in welchem Zustand es ist.')
      : t('Zu diesem Objekt ist noch kein Foto aufgenommen.'),
    drop: t('Fotos des Objekts'),
    far: (metres) =>
      t('Laut Kamera entstand das Foto {meter} vom Objekt entfernt.', {
        meter: `${formatNumber(Math.round(metres))} m`,
      }),
  },
})

async function send(capture: SurveyCapture): Promise<SurveySyncAnswer> {
  const [answer] = await rpc('a_sync_vermessung', { erfassungen: [capture] })
  if (answer?.ergebnis === 'abgelehnt' || answer === undefined)
    throw await refusalOf(answer?.regel ?? null, answer?.feld ?? null)
  return answer
}
/** As the database refuses a single row: the rule's sentence, at its field. */
async function refusalOf(rule: string | null, field: string | null): Promise<ApiError> {
  const { BY_RULE } = await import('../../data/rule-texts.ts')
  const sentence = rule === null ? undefined : BY_RULE[rule]
  const said = sentence === undefined ? t('Der Server hat das nicht angenommen.') : t(sentence)
  return new ApiError('bad_value', said, {
    status: 400,
    ...(rule !== null && { rule }),
    ...(field !== null && { fields: [{ field, message: said }] }),
  })
}
const gone = (): ApiError =>
  new ApiError('not_found', t('Dieses Objekt wurde inzwischen gelöscht.'), { status: 404 })

const read = (target: ObjectTarget): Promise<ObjectRecord> =>
  selectOne<ObjectRecord>(target.art, [eq('id', target.id)])
/** What is sent of a change: a new place without a receiver's words, unless they come with it. */
function sentOf(changes: Partial<ObjectRow>): Partial<SurveyCapture> {
  const said = 'lage' in changes ? Object.fromEntries(SAID_OF_PLACE.map((field) => [field, null])) : {}
  return { ...said, ...(changes as Partial<SurveyCapture>) }
}

export function useObjectChange(target: ObjectTarget, { kennung, client_id }: ObjectRecord) {
  const client = useQueryClient()
  const tell = (record: ObjectRecord | null) => {
    if (record === null) client.removeQueries({ queryKey: keyOf(target) })
    else {
      client.setQueryData(keyOf(target), record)
      void client.invalidateQueries({ queryKey: [...keyOf(target), 'verlauf'] })
    }
    void client.invalidateQueries({ queryKey: ['kataster', String(client_id)] })
  }
  const conflict = async (): Promise<never> => {
    const [record, who] = await Promise.all([read(target), lastChange(target)])
    tell(record)
    throw new ApiError('changed_meanwhile', t('Das Objekt wurde inzwischen geändert.'), {
      status: 409,
      current: rowOf(record, who),
    })
  }
  const save = useMutation({
    mutationFn: async ({ changes, version }: RecordSave<string, ObjectRow>): Promise<ObjectRow> => {
      const { ergebnis } = await send({ kennung, tabelle: target.art, version, ...sentOf(changes) })
      if (ergebnis === 'konflikt') return conflict()
      if (ergebnis === 'geloescht') throw gone()
      const record = await read(target)
      tell(record)
      return rowOf(record)
    },
  })
  const remove = useMutation({
    mutationFn: async ({ version, reason }: { version: number; reason: string }): Promise<void> => {
      const gone = { geloescht: true, loeschgrund: reason }
      const { ergebnis } = await send({ kennung, tabelle: target.art, version, ...gone })
      if (ergebnis === 'konflikt') return conflict()
      tell(null)
      return undefined
    },
  })
  return { save, remove }
}

export const deletedQuery = (kunde: number) =>
  queryOptions({
    queryKey: ['kataster', String(kunde), 'geloescht'],
    queryFn: () => rpc('a_get_geloeschte_vermessung', { client_id: kunde }),
  })
/** Puts a deleted object back under its number, with its photos. Answers where it is. */
export function useRestore(kunde: number) {
  const client = useQueryClient()
  return async (identifier: string): Promise<string> => {
    const { tabelle, id } = await rpc('a_restore_vermessung', { kennung: identifier })
    void client.invalidateQueries({ queryKey: ['kataster', String(kunde)] })
    return objectHref({ art: tabelle, id })
  }
}
