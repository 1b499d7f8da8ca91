import type { ZahlungKind } from '#contract/zahlung.ts'
import { t } from '../../../ui/text.ts'

export function zahlungKindText(art: ZahlungKind): string {
  switch (art) {
    case 'zahlung':
      return t('Zahlung')
    case 'skonto':
      return t('Skonto')
    case 'ausfall':
      return t('Ausfall')
  }
}
