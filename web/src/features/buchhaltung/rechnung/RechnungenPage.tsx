// /buchhaltung/rechnungen: all invoices, drafts and issued ones.
import { useQuery } from '@tanstack/react-query'
import { negate, sign, subtract } from '#domain/geld.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'
import { BelegePage, Sum } from '../BelegePage.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { dueCountQuery, SERIEN_PATH } from '../serie/serie.data.ts'
import { rechnungenOf } from './rechnungen-list.tsx'

const COLUMNS = ['netto', 'brutto', 'offen'] as const

/** How many recurring invoices are due. */
function Recurring() {
  const due = useQuery(dueCountQuery).data ?? 0
  return (
    <ButtonLink href={SERIEN_PATH}>
      {due === 0
        ? t('Wiederkehrende')
        : due === 1
          ? t('1 wiederkehrende Rechnung fällig')
          : t('{n} wiederkehrende Rechnungen fällig', { n: due })}
    </ButtonLink>
  )
}

export const RechnungenPage = () => (
  <BelegePage
    docKind={RECHNUNG_KIND}
    listOf={rechnungenOf}
    columns={COLUMNS}
    actions={<Recurring />}
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
