// What the queue cannot decide on its own about a survey object: conflicts, deletions by others, refusals.
import { useState } from 'react'
import { newId } from '../../data/new-id.ts'
import { ConflictDialog } from '../../record/ConflictDialog.tsx'
import { fieldName, lengthText } from '../../record/kataster/kataster-words.ts'
import { mergedChanges } from '../../record/merge.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { NotNow, ToldError } from '../../ui/told-error.ts'
import { useView } from '../../ui/view.tsx'
import { presentTime } from './device-clock.ts'
import type { ObjectCapture } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import type { ObjectSituation } from './queue-read.ts'
import { discardCapture, recreateDeleted, resolveConflict, retry } from './queue.ts'
import { useRuleText } from './rule-text.ts'
import { OBJECTS } from './survey-capture.ts'
import { showSurveyValue } from '../../record/kataster/survey-form.ts'
import { lengthOf, parsePlaces } from '../../karte/survey-place.ts'
import { SURVEY_INPUTS, surveyValuesOf, type SurveyValues } from '../../record/kataster/survey-values.ts'
import { objectName } from './survey-words.ts'

export const textOfFault = (error: unknown): string =>
  error instanceof ToldError ? error.message : messageOf(error)
const attempt = (work: Promise<unknown>) =>
  void work.catch((error: unknown) => toast.error(textOfFault(error)))

interface Props {
  lage: ObjectSituation
  onEdit: () => void
}
export function SurveyClarification({ lage, onEdit }: Props) {
  const { capture, conflict, view } = lage
  if (capture === undefined) return null
  return (
    <>
      {view.stand === 'geloescht' && <Deleted lage={lage} />}
      {view.stand === 'abgelehnt' && <Rejected lage={lage} onEdit={onEdit} />}
      {view.stand === 'konflikt' && conflict !== undefined && (
        <Disagreement capture={capture} server={conflict.server} />
      )}
    </>
  )
}

function Deleted({ lage }: Pick<Props, 'lage'>) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const { kennung } = lage.view
  async function recreate(): Promise<void> {
    const fresh = await recreateDeleted(db, { sub, kennung, newId, present: presentTime() })
    if (fresh !== null) view.go(`/feld/objekt/${fresh}`, { replace: true })
  }
  return (
    <Notice
      tone="warning"
      title={t('Auf dem Server gelöscht')}
      actions={
        <>
          <DiscardObject lage={lage} />
          <Button variant="primary" size="small" onClick={() => attempt(recreate())}>
            {t('Neu anlegen')}
          </Button>
        </>
      }
    >
      {t(
        'Jemand hat dieses Objekt gelöscht, während hier noch etwas von ihm wartete. Sie können es mit ' +
          'Ihren Angaben neu anlegen oder Ihre Angaben verwerfen.',
      )}
    </Notice>
  )
}

function Rejected({ lage, onEdit }: Props) {
  const { db, sub } = useFieldwork()
  const answer = lage.capture?.antwort
  const reason = useRuleText(answer?.regel ?? null)
  return (
    <Notice
      tone="danger"
      title={t('Vom Server nicht angenommen')}
      actions={
        <>
          <DiscardObject lage={lage} />
          <Button size="small" onClick={() => attempt(retry(db, sub, lage.view.kennung))}>
            {t('Noch einmal senden')}
          </Button>
          <Button size="small" variant="primary" onClick={onEdit}>
            {t('Berichtigen')}
          </Button>
        </>
      }
    >
      {answer?.feld != null && <strong>{labelOf(answer.feld)}: </strong>}
      {reason}
    </Notice>
  )
}

/** Discards what waits of this object. */
export function DiscardObject({ lage: { view, capture } }: Pick<Props, 'lage'>) {
  const { db, sub } = useFieldwork()
  const { go } = useView()
  const [leaving, setLeaving] = useState(false)
  const { kennung, stand, tabelle, werte } = view
  const discard = async () => {
    if (!(await discardCapture(db, sub, kennung)))
      throw new NotNow(
        t('Dieses Objekt ist gerade unterwegs zum Server. Warten Sie, bis die Antwort da ist.'),
      )
    setLeaving(false)
    if (capture?.version === null || stand === 'geloescht') go('/feld', { replace: true })
  }
  return (
    <>
      <Button size="small" onClick={() => setLeaving(true)}>
        {t('Verwerfen')}
      </Button>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Erfassung verwerfen?')}
        record={objectName(tabelle, werte)}
        confirmLabel={t('Verwerfen')}
        onConfirm={discard}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Was von diesem Objekt noch nicht übertragen ist, ist dann weg.')}</p>
      </ConfirmDialog>
    </>
  )
}

/** The reason goes with the deletion. */
const DISPUTABLE = SURVEY_INPUTS.filter((field) => field !== 'loeschgrund')

const labelOf = (field: string): string =>
  field === 'lage' ? t('Lage') : field === 'geloescht' ? t('Löschen') : fieldName(field)
/** A place by its coordinates, a line by its length. */
function placeText(place: string): string {
  const parts = parsePlaces(place)
  const [[first] = []] = parts
  if (parts.flat().length > 1)
    return t('{n} Punkte, {length}', { n: parts.flat().length, length: lengthText(lengthOf(parts)) })
  return first === undefined
    ? ''
    : t('{lat}° N, {lon}° O', { lat: formatNumber(first.lat, 7), lon: formatNumber(first.lon, 7) })
}

interface DisagreementProps {
  capture: ObjectCapture
  server: NonNullable<ObjectSituation['conflict']>['server']
}
/** Somebody else changed the object as well. */
function Disagreement({ capture, server }: DisagreementProps) {
  const { db, sub } = useFieldwork()
  const [deciding, setDeciding] = useState(false)
  const { base, mine } = OBJECTS.sides(capture, server)
  const theirs = {
    ...surveyValuesOf(server),
    version: server.version,
    geaendert_am: server.geaendert_am ?? server.angelegt_am,
    geaendert_von: null,
  } as SurveyValues & { version: number; geaendert_am: string; geaendert_von: string | null }
  return (
    <>
      <Notice
        tone="warning"
        title={t('Inzwischen geändert')}
        actions={
          <Button variant="primary" onClick={() => setDeciding(true)}>
            {t('Entscheiden')}
          </Button>
        }
      >
        {t(
          'Jemand anderes hat dieses Objekt geändert. Nichts ist überschrieben: wählen Sie, was gelten soll.',
        )}
      </Notice>
      {deciding && (
        <ConflictDialog<string, typeof theirs, Record<string, string>>
          kind={{
            fields: DISPUTABLE,
            label: labelOf,
            show: (field, value) =>
              field === 'lage'
                ? placeText(String(value ?? ''))
                : showSurveyValue(capture.tabelle, field, value),
            changedBy: ({ when }) =>
              t(
                'Dieses Objekt wurde am {when} geändert. Wählen Sie für jedes Feld, welcher Wert gelten soll.',
                {
                  when,
                },
              ),
          }}
          conflict={{ base, mine, theirs }}
          onResolve={async (choice) => {
            const chosen = mergedChanges(DISPUTABLE, choice, mine, theirs)
            const why = chosen['geloescht'] === true && { loeschgrund: mine['loeschgrund'] ?? null }
            await resolveConflict(db, sub, capture.kennung, { ...chosen, ...why }, presentTime())
            setDeciding(false)
          }}
          onClose={() => setDeciding(false)}
        />
      )}
    </>
  )
}
