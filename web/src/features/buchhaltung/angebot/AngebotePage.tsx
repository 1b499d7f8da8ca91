// /buchhaltung/angebote: all offers, drafts and issued ones.
import { t } from '../../../ui/text.ts'
import { BelegePage, Sum } from '../BelegePage.tsx'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'
import { angeboteOf } from './angebote-list.tsx'

const COLUMNS = ['gilt_netto', 'gilt_brutto', 'rest_brutto', 'gewichtet'] as const

export const AngebotePage = () => (
  <BelegePage
    docKind={ANGEBOT_KIND}
    listOf={angeboteOf}
    columns={COLUMNS}
    amounts={{ netto: 'gilt_netto', brutto: 'gilt_brutto' }}
    figures={(issued) => (
      <>
        <Sum name={t('Noch abzurechnen, brutto')} value={issued?.rest_brutto} />
        <Sum name={t('Offene nach ihrer Chance, brutto')} value={issued?.gewichtet} />
      </>
    )}
  />
)
