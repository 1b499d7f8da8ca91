// /buchhaltung/pruefung: the batch for the tax adviser, the check of the books, and the archive for an
// auditor. For apus_admin.
import { Page } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../buchhaltung.css'

const Datev = splitOff(async () => (await import('./Datev.tsx')).Datev, <Skeleton lines={8} />)
const Audit = splitOff(async () => (await import('./Audit.tsx')).Audit, <Skeleton lines={8} />)
const Journal = splitOff(async () => (await import('./Journal.tsx')).Journal, <Skeleton lines={8} />)

const PARTS = ['datev', 'pruefung', 'protokoll'] as const
const PATH = '/buchhaltung/pruefung'

export function AuditPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  const shown = { datev: <Datev />, pruefung: <Audit />, protokoll: <Journal /> }[part]
  const content = (id: (typeof PARTS)[number]) => part === id && shown
  return (
    <Page>
      <Tabs
        label={t('Teile der Prüfung')}
        value={part}
        onChange={(id) => view.go(id === PARTS[0] ? PATH : `${PATH}?teil=${id}`, { replace: true })}
        tabs={[
          { id: 'datev', label: t('DATEV-Export'), content: content('datev') },
          { id: 'pruefung', label: t('Prüfung'), content: content('pruefung') },
          { id: 'protokoll', label: t('Protokoll'), content: content('protokoll') },
        ]}
      />
    </Page>
  )
}
