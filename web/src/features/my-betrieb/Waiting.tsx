// What waits for this person: each figure leads to just these rows. The parts load separately, so that a
// failing one does not hide the others.
import { useQuery } from '@tanstack/react-query'
import { useHasRole } from '../../data/session.ts'
import { Card, Notice } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { deskQuery } from './desk.data.ts'
import { bookTasks, deskTasks, kartenTasks } from './desk-words.ts'
import { type Figure, Figures } from '../../ui/Figures.tsx'
import { buchhaltungQuery, kartenProgressQuery } from './my-betrieb.data.ts'

export function Waiting() {
  const books = useHasRole('apus_admin')
  const karten = useHasRole('apus_admin', 'apus_team')
  const staff = useHasRole('ogf_admin', 'ogf_team')
  const parts = [
    useQuery({ ...buchhaltungQuery, enabled: books, select: bookTasks }),
    useQuery({ ...deskQuery, select: (desk) => deskTasks(desk, staff) }),
    useQuery({ ...kartenProgressQuery, enabled: karten, select: kartenTasks }),
  ]
  const asked = parts.filter((_, nr) => [books, true, karten][nr])
  const tasks = asked.flatMap(({ data }): readonly Figure[] => data ?? [])
  const failed = asked.find(({ error, data }) => error !== null && data === undefined)
  const loading = asked.some(({ data, error }) => data === undefined && error === null)
  return (
    <Card title={t('Was auf Sie wartet')}>
      <div className="stack">
        {tasks.length > 0 && <Figures label={t('Was auf Sie wartet')} zahlen={tasks} />}
        {loading && <Skeleton lines={3} />}
        {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
        {!loading && !failed && tasks.length === 0 && (
          <Notice tone="success" title={t('Alles erledigt')}>
            {t('Im Moment wartet nichts auf Sie.')}
          </Notice>
        )}
      </div>
    </Card>
  )
}
