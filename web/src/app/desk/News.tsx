// What is new since the last visit: unread notices, and the records that others changed.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { DeskNews } from '#contract/desk.ts'
import type { Role } from '#domain/roles.ts'
import { rpc } from '../../data/rpc.ts'
import { useSession } from '../../data/session.ts'
import { Card, DateText } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { goalOf } from '../jump/jump.ts'
import { wordsOf } from '../notices/notice-words.ts'
import { unreadNotices } from '../notices/notices.data.ts'
import { newsText } from './news-words.ts'
import { useLastVisit } from './visits.ts'

const SHOWN = 8

const newsSince = (since: string) =>
  queryOptions({
    queryKey: ['desk', 'news', since],
    queryFn: ({ signal }) => rpc('__o_get_news', { seit: since }, { signal }),
    staleTime: 60_000,
    // Not essential, like the notices.
    retry: false,
  })

export function News() {
  const { roles } = useSession()
  const since = useLastVisit()
  const { data: notices } = useQuery(unreadNotices)
  const { data: changes, isError } = useQuery({
    ...newsSince(since ?? ''),
    enabled: typeof since === 'string',
  })
  // The bell reports errors.
  if (notices === undefined || since === undefined || (since !== null && changes === undefined && !isError))
    return null
  const told = new Set(notices.rows.map(({ ziel }) => ziel))
  // What a notice says already is not repeated.
  const shown = (changes ?? [])
    .map((news) => ({ news, href: hrefOf(news, roles) }))
    .filter(({ href }) => href === undefined || !told.has(href))
    .slice(0, SHOWN)
  return (
    <Card title={t('Neu seit Ihrem letzten Besuch')}>
      {notices.rows.length + shown.length === 0 ? (
        <p className="soft">
          {since === null
            ? t('Ab jetzt steht hier, was andere seit Ihrem letzten Besuch geändert haben.')
            : t(
                'Nichts Neues. Was andere ändern, steht hier; Mitteilungen stehen auch unter der Glocke oben.',
              )}
        </p>
      ) : (
        <ul className="dashboard-neues">
          {notices.rows.map((notice) => (
            <li key={notice.id}>
              <a href={notice.ziel}>{wordsOf(notice).title}</a>{' '}
              <span className="soft">
                <DateText value={notice.erstellt} />
              </span>
            </li>
          ))}
          {shown.map(({ news, href }) => (
            <Change key={`${news.art} ${news.id} ${news.was}`} news={news} href={href} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const hrefOf = ({ art, id, titel, client_id }: DeskNews, roles: readonly Role[]): string | undefined =>
  goalOf({ art, id, titel, zusatz: null, client_id, rang: 0 }, roles)?.href

function Change({ news, href }: { news: DeskNews; href: string | undefined }) {
  const { titel, wer, zeit } = news
  return (
    <li>
      {href === undefined ? titel : <a href={href}>{titel}</a>} {newsText(news)}{' '}
      <span className="soft">
        <DateText value={zeit} />
        {wer !== null && ` · ${wer}`}
      </span>
    </li>
  )
}
