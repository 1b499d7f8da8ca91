// /buchhaltung/einstellungen: settings of the bookkeeping, for apus_admin.
import { Page } from '../../../ui/Page.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../buchhaltung.css'
import { NumberRanges } from './NumberRanges.tsx'
import { PositionTemplates } from './PositionTemplates.tsx'
import { TextModules } from './TextModules.tsx'
import { Company } from './Company.tsx'

const PARTS = ['unternehmen', 'nummern', 'vorlagen', 'texte'] as const
const PATH = '/buchhaltung/einstellungen'

export function SettingsPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  return (
    <Page>
      <Tabs
        label={t('Teile der Einstellungen')}
        value={part}
        // A tab starts without search and filters, because those of the other tab do not apply to it.
        onChange={(id) => view.go(id === PARTS[0] ? PATH : `${PATH}?teil=${id}`, { replace: true })}
        tabs={[
          { id: 'unternehmen', label: t('Unternehmen'), content: <Company /> },
          { id: 'nummern', label: t('Nummernkreise'), content: <NumberRanges /> },
          {
            id: 'vorlagen',
            label: t('Positionsvorlagen'),
            content: <PositionTemplates />,
          },
          { id: 'texte', label: t('Textbausteine'), content: <TextModules /> },
        ]}
      />
    </Page>
  )
}
