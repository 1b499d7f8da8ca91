// The bell with the number of unread notices. The list is loaded when first opened.
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../data/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useOpened } from '../shell/use-opened.ts'
import './notices-button.css'
import { unreadCount } from './notices.data.ts'

export function NoticesButton() {
  const { user } = useSession()
  return user === null ? null : <Bell />
}

const load = async () => (await import('./NoticesPanel.tsx')).NoticesPanel
const failed = () =>
  t(
    'Die Benachrichtigungen konnten nicht geladen werden. Bitte prüfen Sie die Verbindung oder laden Sie die ' +
      'Seite neu.',
  )

function Bell() {
  const { data: count = 0 } = useQuery(unreadCount)
  const [Panel, setOpen] = useOpened(load, failed)
  const shown = count > 99 ? '99+' : String(count)
  const label =
    count === 0 ? t('Benachrichtigungen') : t('Benachrichtigungen, {count} ungelesen', { count: shown })
  return (
    <>
      <button
        type="button"
        className="notices-button"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" size={19} />
        {count > 0 && (
          <span className="notices-count nums" aria-hidden="true">
            {shown}
          </span>
        )}
      </button>
      {Panel && <Panel onClose={() => setOpen(false)} />}
    </>
  )
}
