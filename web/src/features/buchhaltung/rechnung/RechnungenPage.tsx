// /buchhaltung/rechnungen: all invoices, drafts and issued ones.
import { negate, sign, subtract } from '#domain/geld.ts'
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
    // What was paid too much does not make the others owe less: two figures, as in the overview.
    figures={(ausgestellt, darunter) => (
      <>
        <Summe name={t('Offen, brutto')} value={ausgestellt && darunter && subtract(ausgestellt.offen, darunter.offen)} />
        {darunter && sign(darunter.offen) !== 0 && <Summe name={t('Zurückzuzahlen')} value={negate(darunter.offen)} />}
      </>
    )}
  />
)
