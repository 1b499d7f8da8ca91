// The lower end of the menu.
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'

export function SidebarFoot() {
  const { config } = useApplication()
  if (!config.impressumUrl && !config.datenschutzUrl) return null
  return (
    <p className="sidebar-foot sidebar-label">
      {config.impressumUrl && <a href={config.impressumUrl}>{t('Impressum')}</a>}
      {config.datenschutzUrl && <a href={config.datenschutzUrl}>{t('Datenschutz')}</a>}
    </p>
  )
}
