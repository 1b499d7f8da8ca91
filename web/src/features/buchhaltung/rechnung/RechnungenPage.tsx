// /buchhaltung/rechnungen: all invoices, drafts and issued ones.
import { negate, sign, subtract } from '#domain/geld.ts'
import { t } from '../../../ui/text.ts'
import { BelegePage, Sum } from '../BelegePage.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { rechnungenOf } from './rechnungen-list.tsx'

const COLUMNS = ['netto', 'brutto', 'offen'] as const

export const RechnungenPage = () => (
  <BelegePage
    docKind={RECHNUNG_KIND}
    listOf={rechnungenOf}
    columns={COLUMNS}
    // Overpayments do not reduce what others owe, so these are two figures, as in the overview.
    figures={(issued, belowZero) => (
      <>
        <Sum
          name={t('Offen, brutto')}
          value={issued && belowZero && subtract(issued.offen, belowZero.offen)}
        />
        {belowZero && sign(belowZero.offen) !== 0 && (
          <Sum name={t('Zurückzuzahlen')} value={negate(belowZero.offen)} />
        )}
      </>
    )}
  />
)
