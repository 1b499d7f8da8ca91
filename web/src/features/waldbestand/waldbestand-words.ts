// Texts and colours of forest stands.
import { GROUP, type Group, classYears, classText } from '#domain/bestand.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const groupName = (group: Group): string =>
  ({
    EI: t('Eiche'),
    BU: t('Buche'),
    ALH: t('Edellaubholz'),
    ALN: t('Weichlaubholz'),
    FI: t('Fichte'),
    TA: t('Tanne'),
    DGL: t('Douglasie'),
    KI: t('Kiefer'),
    LAE: t('Lärche'),
    SONST: t('Sonstige Baumarten'),
    OHNE: t('Ohne Baumart'),
  })[group]
export const groupColor = (group: Group): string => GROUP[group].farbe

/** From light (young) to dark (old). */
const AGE_CLASS_COLOURS = [
  '#e6f5b0',
  '#c2e699',
  '#8ecf7f',
  '#5cb270',
  '#389560',
  '#237a57',
  '#175f52',
  '#0f4549',
  '#0a2c38',
]
const NO_AGE_COLOR = '#e4ddd0'
export const ageClassColor = (ageClass: number | null): string =>
  ageClass === null ? NO_AGE_COLOR : (AGE_CLASS_COLOURS[ageClass - 1] ?? NO_AGE_COLOR)

export function yearsText(ageClass: number): string {
  const [from, to] = classYears(ageClass)
  return to === null ? t('über {n} Jahre', { n: from - 1 }) : t('{a}–{b} Jahre', { a: from, b: to })
}
export const ageClassName = (ageClass: number | null): string =>
  ageClass === null ? t('ohne Alter') : `${classText(ageClass)} (${yearsText(ageClass)})`

export const haText = (ha: number): string => t('{n} ha', { n: formatNumber(ha, ha < 10 ? 2 : 1) })
