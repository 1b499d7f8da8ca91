// /buchhaltung/angebote: all offers, drafts and issued ones.
import { t } from '../../../ui/text.ts'
import { BelegePage, Summe } from '../BelegePage.tsx'
import { ANGEBOT_SORTE } from '../sorten.ts'
import { angeboteOf } from './angebote-list.tsx'

const COLUMNS = ['gilt_netto', 'gilt_brutto', 'rest_brutto', 'gewichtet'] as const

export const AngebotePage = () => (
  <BelegePage
    sorte={ANGEBOT_SORTE}
    listOf={angeboteOf}
    columns={COLUMNS}
    betraege={{ netto: 'gilt_netto', brutto: 'gilt_brutto' }}
    figures={(ausgestellt) => (
      <>
        <Summe name={t('Noch abzurechnen, brutto')} value={ausgestellt?.rest_brutto} />
        <Summe name={t('Offene nach ihrer Chance, brutto')} value={ausgestellt?.gewichtet} />
      </>
    )}
  />
)
