// Texts for a person: name and states.
import { t } from '../../ui/text.ts'

export interface Named {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly username: string
}
/** Eva Forst; the sign-in name if there is no other. */
export const nameOf = ({ first_name, last_name, username }: Named): string =>
  [first_name, last_name].filter(Boolean).join(' ') || username

export const zugang = (enabled: boolean): string => (enabled ? t('aktiv') : t('gesperrt'))
export const appAccessText = (status: string): string => (status === 'gesperrt' ? t('gesperrt') : t('aktiv'))

export const GENDERS = ['weiblich', 'männlich', 'divers'] as const
export function genderName(value: string): string {
  switch (value) {
    case 'weiblich':
      return t('weiblich')
    case 'männlich':
      return t('männlich')
    case 'divers':
      return t('divers')
    default:
      return value
  }
}
