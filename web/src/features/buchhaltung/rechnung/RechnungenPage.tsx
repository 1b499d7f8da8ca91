// /buchhaltung/rechnungen: all invoices, drafts and issued ones.
import { ListCard, countText, useList } from '../../../list/ListPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { Summe, useSummen } from '../belege-list.tsx'
import { NeuerBeleg } from '../NeuerBeleg.tsx'
import { rechnungenOf } from './rechnungen-list.tsx'

const COLUMNS = ['netto', 'brutto', 'offen'] as const

export function RechnungenPage() {
  const { search } = useView()
  const list = rechnungenOf((search['archiv'] ?? '') !== '')
  const model = useList(list)
  const sums = useSummen(list, model.shown, COLUMNS)
  return (
    <Page subtitle={countText(model)} actions={<NeuerBeleg sorte="rechnung" />}>
      <dl className="buch-figures" aria-label={t('Summen der gefundenen Rechnungen')}>
        <Summe name={t('Netto, ausgestellt')} value={sums?.ausgestellt.netto} />
        <Summe name={t('Brutto, ausgestellt')} value={sums?.ausgestellt.brutto} />
        <Summe name={t('Davon offen')} value={sums?.ausgestellt.offen} />
        <Summe name={t('Brutto in Entwürfen')} value={sums?.entwuerfe.brutto} />
      </dl>
      <ListCard model={model} firstSteps={<NeuerBeleg sorte="rechnung" />} />
    </Page>
  )
}
