// What became of the notes at one record: earlier versions, files that were added or deleted, deleted notes.
import type { NoteRecord } from '#contract/note.ts'
import { eq, startsWith } from '../../data/addresses.ts'
import { t } from '../../ui/text.ts'
import { historyQuery } from '../history.data.ts'
import type { HistoryWords } from '../history-lines.ts'
import { HistoryList } from '../HistoryList.tsx'

const LABELS: Readonly<Record<string, () => string>> = {
  text: () => t('Text'),
  fuer_kunde: () => t('Für den Kunden sichtbar'),
  datei: () => t('Datei'),
}
const WORDS: HistoryWords = {
  order: Object.keys(LABELS),
  hidden: [
    'id',
    'art',
    'datensatz',
    'client_id',
    'hqid',
    'angebot_id',
    'rechnung_id',
    'karte_id',
    'angelegt_am',
    'wer',
    'user_id',
  ],
  label: (field) => LABELS[field]?.() ?? field,
  show: (field, value) => {
    if (value === null || value === undefined) return ''
    if (field === 'fuer_kunde') return value === true ? t('ja') : t('nein')
    return String(value)
  },
}

export function NoteHistory({ record: { art, datensatz } }: { record: NoteRecord }) {
  const query = historyQuery(
    ['notizen', art, datensatz],
    [eq('tabelle', 'notiz'), startsWith('schluessel', `${art}/${datensatz}/`)],
  )
  return <HistoryList query={query} words={() => WORDS} />
}
