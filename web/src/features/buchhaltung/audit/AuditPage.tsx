// /buchhaltung/pruefung: the batch for the tax adviser, the check of the books, and the archive for an
// auditor. For apus_admin; an auditor finds the log and the archive.
import { useHasRole } from '../../../data/session.ts'
import { Page } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import '../buchhaltung.css'

const Datev = splitOff(async () => (await import('./Datev.tsx')).Datev, <Skeleton lines={8} />)
const Audit = splitOff(async () => (await import('./Audit.tsx')).Audit, <Skeleton lines={8} />)
const Journal = splitOff(async () => (await import('./Journal.tsx')).Journal, <Skeleton lines={8} />)

const ALL = ['datev', 'pruefung', 'protokoll'] as const
const AUDITED: readonly Part[] = ['pruefung', 'protokoll']
type Part = (typeof ALL)[number]
const PATH = '/buchhaltung/pruefung'

export function AuditPage() {
  const view = useView()
  const parts: readonly Part[] = useHasRole('apus_admin') ? ALL : AUDITED
  const [first = 'protokoll'] = parts
  const part = parts.find((id) => id === view.search['teil']) ?? first
  const shown = { datev: <Datev />, pruefung: <Audit />, protokoll: <Journal /> }[part]
  const names = { datev: t('DATEV-Export'), pruefung: t('Prüfung'), protokoll: t('Protokoll') }
  return (
    <Page>
      <Tabs
        label={t('Teile der Prüfung')}
        value={part}
        onChange={(id) => view.go(id === first ? PATH : `${PATH}?teil=${id}`, { replace: true })}
        tabs={parts.map((id) => ({ id, label: names[id], content: part === id && shown }))}
      />
    </Page>
  )
}
