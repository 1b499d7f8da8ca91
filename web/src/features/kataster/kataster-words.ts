// Words of the survey.
import type { VermessenWort } from '#contract/kataster-kachel.ts'
import { t } from '../../ui/text.ts'

export const vermessenText = (wort: VermessenWort): string => ({ ja: t('vermessen'), nein: t('vermutet'), offen: t('ohne Angabe') })[wort]
export const wortOf = (vermessen: boolean | null | undefined): VermessenWort => (vermessen ? 'ja' : vermessen === false ? 'nein' : 'offen')
