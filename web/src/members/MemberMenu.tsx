// Menu of actions for one of a customer's people. If there are none, it says why.
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { t } from '../ui/text.ts'
import { type Membership, mayDo, type Reason, type Viewer } from './may-do.ts'
import { nameOf } from '../record/person/person-words.ts'
import { type Act, useMemberActions } from './member-actions.ts'
import type { MembersKunde } from './members.data.ts'

function reasonText(reason: Reason, provider: boolean): string {
  switch (reason) {
    case 'self':
      return t('Ihre eigene Rolle und Zugehörigkeit ändert eine andere Person.')
    case 'higher':
      return t('Diese Person hat eine Rolle, die Sie nicht vergeben können.')
    case 'elsewhere':
      return provider
        ? t('Den Zugang dieser Person verwaltet die andere Verwaltung.')
        : t('Diese Person gehört auch anderswo dazu. Ihren Zugang verwalten wir.')
  }
}

export function MemberMenu({
  person,
  kunde,
  viewer,
}: {
  person: Membership
  kunde: MembersKunde
  viewer: Viewer
}) {
  const act = useMemberActions()
  const may = mayDo(viewer, person, kunde)
  const item = (key: Act, label: string, more: Partial<MenuItem> = {}): MenuItem => ({
    key,
    label,
    onSelect: () => act(key, person),
    ...more,
  })
  const items: MenuItem[] = [
    ...(may.rollen.some((role) => role !== person.rolle) ? [item('rolle', t('Rolle ändern …'))] : []),
    ...(person.kataster_enabled
      ? may.katasterOff
        ? [item('kataster', t('Freischaltung des Katasters aufheben'))]
        : []
      : may.katasterOn
        ? [item('kataster', t('Kataster freischalten'))]
        : []),
    ...(may.manage
      ? [
          item('app', person.app_status === 'aktiv' ? t('App sperren …') : t('App entsperren …')),
          item('einladen', t('Einladung senden …'), { icon: 'mail' }),
        ]
      : []),
    ...(may.remove
      ? [item('entfernen', t('Aus dem Kunden entfernen …'), { icon: 'trash', danger: true, divided: true })]
      : []),
  ]
  if (items.length === 0 && may.reason === null) return null
  return (
    <Menu
      label={t('Aktionen für {name}', { name: nameOf(person) })}
      align="end"
      className="button button-quiet button-small"
      trigger={
        <>
          {t('Aktionen')}
          <Icon name="chevronDown" size={16} />
        </>
      }
      items={
        items.length > 0
          ? items
          : [{ key: 'nichts', label: t('Hier können Sie nichts ändern'), disabled: true }]
      }
      header={
        may.reason !== null && <p className="mitglied-reason">{reasonText(may.reason, viewer.provider)}</p>
      }
    />
  )
}
