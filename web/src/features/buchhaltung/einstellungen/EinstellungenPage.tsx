// /buchhaltung/einstellungen: what the books begin with, for apus_admin.
import { Page } from '../../../ui/Page.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../buchhaltung.css'
import { Nummernkreise } from './Nummernkreise.tsx'
import { Positionsvorlagen } from './Positionsvorlagen.tsx'
import { Textbausteine } from './Textbausteine.tsx'
import { Unternehmen } from './Unternehmen.tsx'

const PARTS = ['unternehmen', 'nummern', 'vorlagen', 'texte'] as const
const PATH = '/buchhaltung/einstellungen'

export function EinstellungenPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  return (
    <Page>
      <Tabs
        label={t('Teile der Einstellungen')}
        value={part}
        // A part begins plainly: the other's search and filters are not its own.
        onChange={(id) => view.go(id === PARTS[0] ? PATH : `${PATH}?teil=${id}`, { replace: true })}
        tabs={[
          { id: 'unternehmen', label: t('Unternehmen'), content: part === 'unternehmen' && <Unternehmen /> },
          { id: 'nummern', label: t('Nummernkreise'), content: part === 'nummern' && <Nummernkreise /> },
          { id: 'vorlagen', label: t('Positionsvorlagen'), content: part === 'vorlagen' && <Positionsvorlagen /> },
          { id: 'texte', label: t('Textbausteine'), content: part === 'texte' && <Textbausteine /> },
        ]}
      />
    </Page>
  )
}
