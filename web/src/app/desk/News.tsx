// What is new since the last visit.
import { useQuery } from '@tanstack/react-query'
import { Card, DateText } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { wordsOf } from '../notices/notice-words.ts'
import { unreadNotices } from '../notices/notices.data.ts'

/** Unread notices since the last visit, newest first. */
export function News() {
  const { data } = useQuery(unreadNotices)
  // Not essential: the bell reports errors.
  if (data === undefined) return null
  return (
    <Card title={t('Neu seit Ihrem letzten Besuch')}>
      {data.rows.length === 0 ? (
        <p className="soft">{t('Nichts Neues. Was sich ändert, steht hier und unter der Glocke oben.')}</p>
      ) : (
        <ul className="dashboard-neues">
          {data.rows.map((notice) => (
            <li key={notice.id}>
              <a href={notice.ziel}>{wordsOf(notice).title}</a>{' '}
              <span className="soft">
                <DateText value={notice.erstellt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
