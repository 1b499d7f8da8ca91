// Texts of the survey page.
import type { SurveyedWord } from '#contract/kataster-tile.ts'
import { t } from '../../ui/text.ts'

export const surveyedText = (wort: SurveyedWord): string =>
  ({ ja: t('vermessen'), nein: t('vermutet'), offen: t('ohne Angabe') })[wort]
export const wortOf = (surveyed: boolean | null | undefined): SurveyedWord =>
  surveyed ? 'ja' : surveyed === false ? 'nein' : 'offen'
