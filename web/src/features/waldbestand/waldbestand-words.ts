// Words and colours of forest stands.
import { GRUPPE, type Gruppe, klasseJahre, klasseText } from '#domain/bestand.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const gruppeName = (gruppe: Gruppe): string =>
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
  })[gruppe]
export const gruppeFarbe = (gruppe: Gruppe): string => GRUPPE[gruppe].farbe

/** Young light, old dark. */
const KLASSE_FARBEN = ['#e6f5b0', '#c2e699', '#8ecf7f', '#5cb270', '#389560', '#237a57', '#175f52', '#0f4549', '#0a2c38']
const OHNE_ALTER = '#e4ddd0'
export const klasseFarbe = (klasse: number | null): string => (klasse === null ? OHNE_ALTER : (KLASSE_FARBEN[klasse - 1] ?? OHNE_ALTER))

export function jahreText(klasse: number): string {
  const [from, to] = klasseJahre(klasse)
  return to === null ? t('über {n} Jahre', { n: from - 1 }) : t('{a}–{b} Jahre', { a: from, b: to })
}
export const klasseName = (klasse: number | null): string =>
  klasse === null ? t('ohne Alter') : `${klasseText(klasse)} (${jahreText(klasse)})`

export const haText = (ha: number): string => t('{n} ha', { n: formatNumber(ha, ha < 10 ? 2 : 1) })
