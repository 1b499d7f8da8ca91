// Bottom of the menu: subscription offer, mobile app, legally required links.
import { useSession } from '../../data/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { mayBeOffered } from '../may-be-offered.ts'
import './sidebar-foot.css'

const Upsell = splitOff(async () => (await import('./Upsell.tsx')).Upsell, null, { optional: true })

export function SidebarFoot() {
  const { config } = useApplication()
  const session = useSession()
  const { stores, impressumUrl, datenschutzUrl } = config
  return (
    <div className="foot">
      {mayBeOffered(session) && <Upsell />}
      {(stores.ios || stores.android) && (
        <ul className="stores" aria-label={t('Mobile App')}>
          {stores.ios && <Store href={stores.ios} label={t('App Store')} />}
          {stores.android && <Store href={stores.android} label={t('Google Play')} />}
        </ul>
      )}
      {(impressumUrl || datenschutzUrl) && (
        <p className="sidebar-foot sidebar-label">
          {impressumUrl && (
            <a href={impressumUrl} data-native>
              {t('Impressum')}
            </a>
          )}
          {datenschutzUrl && (
            <a href={datenschutzUrl} data-native>
              {t('Datenschutz')}
            </a>
          )}
        </p>
      )}
    </div>
  )
}

const Store = ({ href, label }: { href: string; label: string }) => (
  <li>
    <a href={href} className="store" target="_blank" rel="noopener" title={label}>
      <Icon name="mobile" size={18} />
      <span className="sidebar-label">{label}</span>
    </a>
  </li>
)
