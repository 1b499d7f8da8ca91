// /buchhaltung/angebote: all offers, drafts and issued ones.
import { ListCard, countText, useList } from '../../../list/ListPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { Summe, useSummen } from '../belege-list.tsx'
import { NeuerBeleg } from '../NeuerBeleg.tsx'
import { angeboteOf } from './angebote-list.tsx'

const COLUMNS = ['netto', 'brutto'] as const

export function AngebotePage() {
  const { search } = useView()
  const list = angeboteOf((search['archiv'] ?? '') !== '')
  const model = useList(list)
  const sums = useSummen(list, model.shown, COLUMNS)
  return (
    <Page subtitle={countText(model)} actions={<NeuerBeleg sorte="angebot" />}>
      <dl className="buch-figures" aria-label={t('Summen der gefundenen Angebote')}>
        <Summe name={t('Netto, ausgestellt')} value={sums?.ausgestellt.netto} />
        <Summe name={t('Brutto, ausgestellt')} value={sums?.ausgestellt.brutto} />
        <Summe name={t('Brutto in Entwürfen')} value={sums?.entwuerfe.brutto} />
      </dl>
      <ListCard model={model} firstSteps={<NeuerBeleg sorte="angebot" />} />
    </Page>
  )
}
