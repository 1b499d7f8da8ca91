// Card "Benachrichtigungen" of the profile: switches each kind of notice, in the application and by e-mail.
// Stored as the preference mutedNotices, which the database checks before it creates a notice or sends mail.
import { useEffect, useRef } from 'react'
import type { NoticeKind } from '#contract/notice.ts'
import { useSession } from '../../data/session.ts'
import { Notice } from '../../ui/Display.tsx'
import { usePreference } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useApplication } from '../app-context.ts'
import { setMuted } from './muted.ts'
import { kindsFor, kindName } from './notice-words.ts'
import './notices.css'

export function NoticeSettings() {
  const { roles, user } = useSession()
  const { config } = useApplication()
  const muted = usePreference('mutedNotices')
  const kinds = kindsFor(roles)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // This card loads after the page has been scrolled to its fragment.
    if (location.hash === '#benachrichtigungen') place.current?.closest('section')?.scrollIntoView()
  }, [])
  if (kinds.length === 0)
    return <p className="soft">{t('Für Ihre Rolle gibt es zurzeit keine Benachrichtigungen.')}</p>
  const choose = (key: string, name: string, wanted: boolean) => {
    setMuted(key, !wanted)
    toast.undo(wanted ? t('Eingeschaltet: {name}', { name }) : t('Ausgeschaltet: {name}', { name }), () =>
      setMuted(key, wanted),
    )
  }
  const box = (art: NoticeKind, key: string, label: string) => (
    <td>
      <input
        type="checkbox"
        aria-label={label}
        checked={!muted.includes(key)}
        onChange={(event) => choose(key, label, event.target.checked)}
      />
    </td>
  )
  return (
    <div ref={place} id="benachrichtigungen">
      {!config.mail && (
        <Notice tone="info" title={t('Zurzeit werden keine E-Mails versendet')}>
          {t(
            'Für diese Anwendung ist kein Mailserver eingerichtet. Ihre Auswahl wird gemerkt und gilt, sobald ' +
              'es einen gibt; in der App sehen Sie alles wie gewohnt.',
          )}
        </Notice>
      )}
      <table className="notice-settings">
        <thead>
          <tr>
            <th scope="col">{t('Anlass')}</th>
            <th scope="col">{t('In der App')}</th>
            <th scope="col">{t('E-Mail')}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((art) => (
            <tr key={art}>
              <th scope="row">{kindName(art)}</th>
              {box(art, art, t('{name}: in der App', { name: kindName(art) }))}
              {box(art, `${art}.mail`, t('{name}: E-Mail', { name: kindName(art) }))}
            </tr>
          ))}
        </tbody>
      </table>
      {config.mail && (
        <p className="soft">
          {t('E-Mails gehen an {address}.', { address: user?.mail ?? user?.email ?? '' })}
        </p>
      )}
    </div>
  )
}
