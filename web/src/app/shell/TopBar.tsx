// The top bar: menu button, breadcrumb, support, manual, user menu.
import { useState } from 'react'
import { dialHref } from '#domain/telephone.ts'
import { useSession } from '../../data/session.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges } from '../../ui/unsaved.ts'
import { useApplication } from '../app-context.ts'
import { HOME_TITLE } from '../breadcrumb.ts'
import { useErrorLog } from '../error-log.ts'
import { homeOf } from '../routes.ts'
import { askForShortcuts } from '../shortcuts/asked.ts'
import { useSignOut } from '../sign-out.ts'
import { Breadcrumb } from './Breadcrumb.tsx'
import { DiscardAsked } from './LeaveDialog.tsx'
import type { OpenPage } from './page-name.ts'
import './topbar.css'
import { JumpButton, NoticesButton } from './TopBarSlots.tsx'
import type { SidebarState } from './use-sidebar.ts'

const ErrorLogButton = splitOff(async () => (await import('./ErrorLogButton.tsx')).ErrorLogButton, null, {
  optional: true,
})

export function TopBar({ sidebar, page }: { sidebar: SidebarState; page: OpenPage }) {
  const { config } = useApplication()
  const label = sidebar.mobile ? t('Menü öffnen') : sidebar.open ? t('Menü einklappen') : t('Menü ausklappen')
  return (
    <header className="topbar">
      <button
        type="button"
        className="button button-quiet button-icon"
        aria-label={label}
        title={label}
        aria-expanded={sidebar.open}
        onClick={sidebar.toggle}
      >
        <Icon name="menu" size={20} />
      </button>
      <Breadcrumb page={page} />
      <div className="topbar-end">
        <Stamps />
        <JumpButton />
        {useErrorLog().length > 0 && <ErrorLogButton />}
        {config.support && (
          <a className="support" href={dialHref(config.support.phone)}>
            <Icon name="phone" size={16} />
            <span className="support-text">
              {t('Support:')} <strong className="nums">{config.support.phone}</strong>
              {config.support.hours && <span className="support-hours"> · {config.support.hours}</span>}
            </span>
          </a>
        )}
        {config.manualUrl && (
          <a
            className="manual"
            href={config.manualUrl}
            target="_blank"
            rel="noopener"
            aria-label={t('Handbuch (neues Fenster)')}
            title={t('Handbuch (neues Fenster)')}
          >
            <Icon name="help" size={18} />
          </a>
        )}
        <NoticesButton />
        <UserMenu />
      </div>
    </header>
  )
}

/** Marks installations that are not the production one. */
function Stamps() {
  const { sandbox, alpha } = useApplication().config.shell.stamps
  return (
    <>
      {sandbox && <span className="stamp">Sandbox</span>}
      {alpha && <span className="stamp">Alpha</span>}
    </>
  )
}

function UserMenu() {
  const { config } = useApplication()
  const { name, email, roles } = useSession()
  const [asking, setAsking] = useState(false)
  const logout = useSignOut()
  const items: MenuItem[] = [
    { key: 'home', label: t(HOME_TITLE), icon: 'tree', href: homeOf(roles) },
    ...linkItem('manual', t('Handbuch'), 'help', config.manualUrl),
    {
      key: 'shortcuts',
      label: t('Tastenkürzel'),
      icon: 'help',
      onSelect: askForShortcuts,
    },
    ...linkItem('impressum', t('Impressum'), 'info', config.impressumUrl),
    ...linkItem('datenschutz', t('Datenschutz'), 'shield', config.datenschutzUrl),
    {
      key: 'logout',
      label: t('Abmelden'),
      icon: 'logout',
      divided: true,
      onSelect: () => (hasUnsavedChanges() ? setAsking(true) : logout()),
    },
  ]
  if (roles[0] !== 'ogf_init')
    items.unshift({ key: 'profile', label: t('Profil'), icon: 'person', href: '/profile/index' })
  return (
    <>
      <Menu
        label={t('Benutzermenü von {name}', { name })}
        align="end"
        className="user-button"
        trigger={
          <>
            {/* Drawn by the style sheet: as text it would become part of the button's name. */}
            <span className="user-mark" aria-hidden="true" data-initials={initialsOf(name)} />
            <span className="user-name">{name}</span>
            <Icon name="chevronDown" size={15} />
          </>
        }
        header={
          <>
            <strong>{name}</strong>
            {email}
          </>
        }
        items={items}
      />
      {asking && (
        <DiscardAsked
          open
          confirmLabel={t('Verwerfen und abmelden')}
          onConfirm={logout}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}

const linkItem = (key: string, label: string, icon: IconName, href: string | null): MenuItem[] =>
  href === null ? [] : [{ key, label, icon, href, external: true }]

/** Anna Maria Berg → AB; for an e-mail address, its first letter. */
export function initialsOf(name: string): string {
  const words = name.includes('@') ? [name] : name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => (word ?? '').slice(0, 1).toLocaleUpperCase('de')).join('')
}
