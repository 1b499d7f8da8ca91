// The panel with the list of notices: what happened, a link, and marking as read.
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import type { PersonalNotice } from '#contract/notice.ts'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Dialog.tsx'
import { DateText, VisuallyHidden } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { isPermitted, routeOf } from '../routes.ts'
import { wordsOf } from './notice-words.ts'
import { notices, unreadCount } from './notices.data.ts'
import { useTickOff } from './tick-off.ts'
import './notices.css'
import { useRouter } from '../routing/RouterProvider.tsx'

const STEP = 25

/**
 * The last change of read state. Its undo is inside the panel, because a toast outside cannot be clicked
 * while the panel is open.
 */
interface Done {
  readonly text: string
  readonly ids: readonly number[]
  readonly read: boolean
}

export function NoticesPanel({ onClose }: { onClose: () => void }) {
  const [limit, setLimit] = useState(STEP)
  const [done, setDone] = useState<Done | null>(null)
  const query = useQuery(notices(limit))
  const { data: unread = 0 } = useQuery(unreadCount)
  const tickOff = useTickOff()
  const rows = query.data?.rows ?? []
  const more = (query.data?.total ?? 0) - rows.length

  const failed = (error: Error) =>
    toast.error(
      error instanceof ApiError
        ? error.message
        : t('Das konnte nicht gespeichert werden. Bitte versuchen Sie es noch einmal.'),
    )
  const takeBack = ({ ids, read }: Done) => {
    setDone(null)
    tickOff.mutate({ ids, read: !read }, { onError: failed })
  }
  const mark = (read: boolean, notice?: PersonalNotice) =>
    tickOff.mutate(
      { read, ...(notice && { ids: [notice.id] }) },
      {
        onSuccess: (ids) => {
          if (ids.length === 0) return
          const text = read
            ? ids.length === 1
              ? t('Als gelesen markiert.')
              : t('{count} als gelesen markiert.', { count: ids.length })
            : t('Als ungelesen markiert.')
          setDone({ text, ids, read })
        },
        onError: failed,
      },
    )
  return (
    <Drawer open title={t('Benachrichtigungen')} onClose={onClose}>
      <div className="notices-bar">
        <Button
          size="small"
          icon="check"
          disabled={unread === 0}
          busy={tickOff.isPending}
          onClick={() => mark(true)}
        >
          {t('Alle als gelesen markieren')}
        </Button>
        <span onClickCapture={onClose} role="presentation">
          <ButtonLink size="small" icon="gear" variant="quiet" href="/profile/index#benachrichtigungen">
            {t('Einstellen')}
          </ButtonLink>
        </span>
      </div>
      <output className="notices-done">
        {done && (
          <>
            {done.text}
            <Button size="small" onClick={() => takeBack(done)}>
              {t('Rückgängig')}
            </Button>
          </>
        )}
      </output>
      {query.isPending ? (
        <Skeleton lines={6} />
      ) : query.isError && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState icon="bell" title={t('Keine Benachrichtigungen')}>
          {t(
            'Hier erscheint, was für Sie neu ist oder bald abläuft. Was Sie erfahren möchten, stellen Sie im ' +
              'Profil ein.',
          )}
        </EmptyState>
      ) : (
        <ul className="notices">
          {rows.map((notice) => (
            <Line key={notice.id} notice={notice} onMark={mark} onLeave={onClose} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button className="notices-more" busy={query.isFetching} onClick={() => setLimit(limit + STEP)}>
          {more === 1 ? t('Eine ältere zeigen') : t('{count} ältere zeigen', { count: Math.min(more, STEP) })}
        </Button>
      )}
    </Drawer>
  )
}

function Line({
  notice,
  onMark,
  onLeave,
}: {
  notice: PersonalNotice
  onMark: (read: boolean, notice: PersonalNotice) => void
  onLeave: () => void
}) {
  const { roles } = useSession()
  const router = useRouter()
  const tickOff = useTickOff()
  const { title, text, icon } = wordsOf(notice)
  const isNew = notice.gelesen_am === null
  const line = routeOf(notice.ziel.split('?')[0]!)
  // Not a link if the person may not (or no longer) open the screen.
  const reachable = line !== undefined && isPermitted(line, roles)
  const follow = (event: MouseEvent) => {
    if (isNew) tickOff.mutate({ ids: [notice.id], read: true })
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onLeave()
    router.navigate(notice.ziel)
  }
  return (
    <li className={isNew ? 'notice-line notice-line-new' : 'notice-line'}>
      <Icon name={icon} size={20} />
      <div className="notice-line-text">
        {isNew && <VisuallyHidden>{t('Ungelesen:')} </VisuallyHidden>}
        {reachable ? (
          <a href={notice.ziel} onClick={follow}>
            {title}
          </a>
        ) : (
          <strong>{title}</strong>
        )}
        <p>{text}</p>
        <p className="soft">
          <DateText value={notice.erstellt} time />
        </p>
      </div>
      <IconButton
        icon={isNew ? 'check' : 'mail'}
        size="small"
        label={
          isNew
            ? t('Als gelesen markieren: {title}', { title })
            : t('Als ungelesen markieren: {title}', { title })
        }
        onClick={() => onMark(isNew, notice)}
      />
    </li>
  )
}
