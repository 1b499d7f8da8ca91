// Blocks that the summaries of customers and of holdings share: notes and changes.
import type { ReactNode } from 'react'
import type { SummaryChange, SummaryNote, SummaryNotes, SummarySurvey } from '#contract/summary.ts'
import type { VermessungTable } from '#contract/vermessung.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatDate, formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { Block, Row } from './Block.tsx'
import { changeText, fieldsText } from './summary-words.ts'
import { surveyed } from './survey.ts'

export function Notes({
  notes,
  all,
  hrefOf,
}: {
  notes: SummaryNotes
  all: string
  hrefOf: (note: SummaryNote) => string | undefined
}) {
  // Customers see the block only when there is something for them.
  if (notes.zeilen.length === 0 && !notes.schreibt) return null
  return (
    <Block
      title={t('Letzte Notizen')}
      count={notes.anzahl}
      all={all}
      empty={t('Noch keine Notiz.')}
      next={
        notes.schreibt && (
          <ButtonLink size="small" icon="plus" href={all}>
            {t('Notiz schreiben')}
          </ButtonLink>
        )
      }
    >
      {notes.zeilen.map((note) => (
        <Row
          key={note.id}
          name={<span className="summary-text">{noteText(note)}</span>}
          href={hrefOf(note)}
          more={byWhom(note.wer, note.angelegt_am, note.name)}
          {...(note.dateien > 0 && {
            moreValue: note.dateien === 1 ? t('1 Datei') : t('{n} Dateien', { n: note.dateien }),
          })}
        />
      ))}
    </Block>
  )
}

const LONGEST = 140
/** Its first line, cut; a note may consist of files alone. */
function noteText({ text }: SummaryNote): string {
  const line = text.trim().split('\n')[0]!
  if (line === '') return t('Dateien ohne Text')
  return line.length > LONGEST ? `${line.slice(0, LONGEST).replace(/\s+\S*$/, '')} …` : line
}
const byWhom = (who: string | null, when: string, where: string | null): ReactNode => (
  <>
    {who === null ? formatDateTime(when) : t('{who}, {when}', { who, when: formatDateTime(when) })}
    {where !== null && where !== '' && ` · ${where}`}
  </>
)

export function Changes({
  changes,
  all,
  hrefOf,
}: {
  changes: readonly SummaryChange[]
  all: string | undefined
  hrefOf: (change: SummaryChange) => string | undefined
}) {
  return (
    <Block
      title={t('Letzte Änderungen')}
      all={all}
      allText={t('Ganzer Verlauf')}
      empty={t('Hier steht künftig, wer wann was geändert hat.')}
    >
      {changes.map((change) => (
        <Row
          key={change.id}
          href={hrefOf(change)}
          name={changeText(change)}
          value={<span className="soft">{formatDateTime(change.zeit)}</span>}
          more={[change.wer ?? t('System'), fieldsText(change)].filter(Boolean).join(' · ')}
        />
      ))}
    </Block>
  )
}

interface SurveyProps {
  survey: SummarySurvey
  /** Address of the register. */
  all: string
  empty: string
  next?: ReactNode
}
/** What is surveyed, by kind. */
export function Survey({ survey, all, empty, next }: SurveyProps) {
  const kinds: readonly (readonly [VermessungTable, string])[] = [
    ['draenage', t('Dränagen')],
    ['ausmuendung', t('Ausmündungen')],
    ['schacht', t('Schächte')],
    ['schlucker', t('Schlucker')],
    ['einlauf', t('Einläufe')],
  ]
  const some = surveyed(survey) > 0
  return (
    <Block title={t('Kataster')} all={all} allText={t('Kataster öffnen')} empty={empty} next={next}>
      {some
        ? [
            ...kinds
              .filter(([kind]) => survey[kind] > 0)
              .map(([kind, name]) => <Row key={kind} name={name} value={formatNumber(survey[kind])} />),
            ...(survey.importiert_am === null
              ? []
              : [
                  <Row
                    key="import"
                    name={t('Zuletzt importiert')}
                    value={formatDate(survey.importiert_am)}
                  />,
                ]),
          ]
        : []}
    </Block>
  )
}
