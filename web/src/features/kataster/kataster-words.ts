// Words of the survey.
import type { Objektart, VermessenWort } from '#contract/kataster-kachel.ts'
import { t } from '../../ui/text.ts'

export const artWords = (art: Objektart): { readonly one: string; readonly many: string } =>
  ({
    draenage: { one: t('Dränage'), many: t('Dränagen') },
    ausmuendung: { one: t('Ausmündung'), many: t('Ausmündungen') },
    schacht: { one: t('Schacht'), many: t('Schächte') },
    schlucker: { one: t('Schlucker'), many: t('Schlucker') },
    einlauf: { one: t('Einlauf'), many: t('Einläufe') },
  })[art]

export const vermessenText = (wort: VermessenWort): string => ({ ja: t('vermessen'), nein: t('vermutet'), offen: t('ohne Angabe') })[wort]
export const wortOf = (vermessen: boolean | null | undefined): VermessenWort => (vermessen ? 'ja' : vermessen === false ? 'nein' : 'offen')
