// The notes of a record as a tab or as a card, with their number. The panel is loaded when it is shown. Customers
// see neither unless there is something for them.
import { useQuery } from '@tanstack/react-query'
import type { NoteKind, NoteRecord } from '#contract/note.ts'
import { Card } from '../../ui/Display.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import type { TabDef } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { noteCount } from './note.data.ts'

const NotesPanel = splitOff(async () => (await import('./NotesPanel.tsx')).NotesPanel, <Skeleton lines={6} />)

interface Props {
  art: NoteKind
  id: number
  /** The reader is one of the customer's people. */
  forKunde?: boolean
}

/** To be spread into the tabs of a page; an address with `ansicht=notizen` opens it. */
export function useNotesTab({ art, id, forKunde = false }: Props): readonly TabDef[] {
  const record: NoteRecord = { art, datensatz: id }
  const { data: count = 0 } = useQuery(noteCount(record))
  if (forKunde && count === 0) return []
  const content = (
    <Card>
      <NotesPanel key={`${art}-${id}`} record={record} />
    </Card>
  )
  return [{ id: 'notizen', label: t('Notizen'), count: count === 0 ? undefined : count, content }]
}

export function NotesCard({ art, id, forKunde = false }: Props) {
  const record: NoteRecord = { art, datensatz: id }
  const { data: count = 0 } = useQuery(noteCount(record))
  if (forKunde && count === 0) return null
  return (
    <Card
      title={
        <>
          {t('Notizen')} {count > 0 && <span className="tab-count nums">{count}</span>}
        </>
      }
    >
      <NotesPanel key={`${art}-${id}`} record={record} />
    </Card>
  )
}
