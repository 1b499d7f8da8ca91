// One plan for the customer's people: the sheet, its progress, messages to them, and their answer.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { KarteFile } from '#contract/karte-files.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { NotesCard } from '../../record/notes/notes-tab.tsx'
import { Badge, Card, Facts, fact, Notice } from '../../ui/Display.tsx'
import { TextAreaField } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { ANSWER, type AnswerField } from './karte-form.ts'
import { type KarteRow, useSaveKarte } from './karte.data.ts'
import {
  answerForCustomer,
  answerTone,
  dinName,
  fieldLabel,
  isWaiting,
  questionAbout,
  REGISTER_ORDER,
  scaleText,
  statusForCustomer,
  todoText,
} from './karte-words.ts'
import { filesQuery, newest } from './files.data.ts'
import { KartePager, ScanImage } from './KarteHeader.tsx'
import { StatusLine } from './StatusLine.tsx'

const Files = splitOff(
  async () => (await import('./Files.tsx')).Files,
  <Card>
    <Skeleton lines={4} />
  </Card>,
)

const PlanOnGround = splitOff(
  async () => (await import('./PlanOnGround.tsx')).PlanOnGround,
  <Skeleton lines={8} />,
)

export function KarteKunde({ karte, mayAnswer }: { karte: KarteRow; mayAnswer: boolean }) {
  const { data: files } = useQuery(filesQuery(karte.id))
  const result = newest(files, 'ergebnis')
  const { seen, onSeen } = useSeen(result)
  return (
    <Page
      record={karte.map_name}
      subtitle={todoText(karte.client_status, mayAnswer)}
      actions={<KartePager karte={karte} />}
    >
      <StatusLine status={karte.status} nameOf={statusForCustomer} />
      <div className="karte-spalten karte-spalten-bild">
        <div className="stack">
          {/* First, because the question beside it is about both. */}
          {result !== undefined && (
            <Card title={t('Plan und Gelände')} flush>
              <PlanOnGround karte={karte} result={result} onSeen={onSeen} />
            </Card>
          )}
          {/* A mosaic has no scan. */}
          {(result === undefined || newest(files, 'scan') !== undefined) && (
            <Card title={t('Plan')} flush>
              <ScanImage karte={karte} staff={false} />
            </Card>
          )}
        </div>
        <div className="stack">
          {karte.bem_to_client !== null && (
            <Card title={t('Bemerkung für Sie')}>
              <blockquote className="karte-zitat">{karte.bem_to_client}</blockquote>
            </Card>
          )}
          <Card title={t('Ihre Antwort')}>
            {mayAnswer ? (
              <Answer karte={karte} question={questionAbout(result, seen)} />
            ) : (
              <AnswerReadOnly karte={karte} />
            )}
          </Card>
          <NotesCard art="karte" id={karte.id} forKunde />
          <Card title={t('Angaben zum Plan')}>
            <Facts facts={REGISTER_ORDER.map((field) => fact(fieldLabel(field), factOf(karte, field)))} />
          </Card>
        </div>
        <Files karte={karte} staff={false} />
      </div>
    </Page>
  )
}
/** Whether this result has been drawn for the person: its tiles may be missing, or nobody can convert its system. */
function useSeen(result: KarteFile | undefined) {
  const id = result?.id ?? null
  const [seenId, setSeenId] = useState<number | null>(null)
  const onSeen = useCallback(() => setSeenId(id), [id])
  return { seen: id !== null && seenId === id, onSeen }
}

const factOf = (karte: KarteRow, field: (typeof REGISTER_ORDER)[number]): string | number | null => {
  if (field === 'scale') return scaleText(karte.scale)
  return field === 'din' ? dinName(karte.din) : karte[field]
}

function Answer({ karte, question }: { karte: KarteRow; question: string }) {
  const { mutateAsync } = useSaveKarte<AnswerField>(karte.id)
  const editor = useRecordForm(ANSWER, karte, mutateAsync)
  const { form } = editor
  const chosen = useWatch({ control: form.control, name: 'client_status' })
  const { errors } = form.formState
  return (
    <>
      <RecordForm editor={editor} label={t('Ihre Antwort')}>
        <div className="stack">
          <fieldset
            className="karte-antworten"
            aria-describedby={errors.client_status ? 'karte-antwort-fehler' : undefined}
          >
            <legend className="field-label">{question}</legend>
            {(['freigegeben', 'in_pruefung', 'rueckfrage'] as const).map((value) => (
              <label key={value} className="karte-antwort">
                <input type="radio" value={value} {...form.register('client_status')} />
                <span>{answerForCustomer(value)}</span>
              </label>
            ))}
            {errors.client_status && (
              <p id="karte-antwort-fehler" className="field-error">
                {errors.client_status.message}
              </p>
            )}
          </fieldset>
          <TextAreaField
            label={t('Ihre Bemerkung')}
            error={errors.bem_client?.message}
            required={chosen === 'rueckfrage'}
            maxLength={4000}
            rows={4}
            hint={t('Zum Beispiel: Der Sammler im Norden liegt zehn Meter weiter östlich.')}
            {...form.register('bem_client')}
          />
        </div>
      </RecordForm>
      <RecordConflict editor={editor} />
    </>
  )
}

function AnswerReadOnly({ karte }: { karte: KarteRow }) {
  return (
    <div className="stack">
      <Badge tone={answerTone(karte.client_status)}>{answerForCustomer(karte.client_status)}</Badge>
      {karte.bem_client !== null && <blockquote className="karte-zitat">{karte.bem_client}</blockquote>}
      {isWaiting(karte.client_status) && (
        <Notice>
          {t('Antworten kann die Verwaltung Ihres Betriebs. Fällt Ihnen etwas auf, sagen Sie es ihr.')}
        </Notice>
      )}
    </div>
  )
}
