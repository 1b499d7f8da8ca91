// /buchhaltung/rechnungen: all invoices, drafts and issued ones.
import { t } from '../../../ui/text.ts'
import { BelegePage, Summe } from '../BelegePage.tsx'
import { RECHNUNG_SORTE } from '../sorten.ts'
import { rechnungenOf } from './rechnungen-list.tsx'

const COLUMNS = ['netto', 'brutto', 'offen'] as const

export const RechnungenPage = () => (
  <BelegePage
    sorte={RECHNUNG_SORTE}
    listOf={rechnungenOf}
    columns={COLUMNS}
    figures={(ausgestellt) => <Summe name={t('Davon offen')} value={ausgestellt?.offen} />}
  />
)
