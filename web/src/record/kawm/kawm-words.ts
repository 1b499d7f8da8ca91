// Texts for the grant.
import { NATURAL_FOREST_FROM_HA, type KawmResult, type KawmMissing } from '#domain/kawm.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** What is missing, and what to do about it. */
export function missingText(
  { code, anzahl }: KawmMissing,
  { soll, naturwald_soll, frist }: Pick<KawmResult, 'soll' | 'naturwald_soll' | 'frist'>,
): string {
  const n = formatNumber(anzahl ?? 0)
  const one = anzahl === 1
  const tag = frist === null ? '' : formatDate(frist)
  switch (code) {
    case 'modul_aus':
      return t('KAWM ist für diesen Forstbetrieb nicht freigeschaltet.')
    case 'flaeche_fehlt':
      return t(
        'Die Förderfläche ist noch nicht hinterlegt. Nennen Sie sie uns, dann steht hier, wie viele Bäume es ' +
          'sein müssen.',
      )
    case 'bewilligung_fehlt':
      return t(
        'Das Datum der Bewilligung ist noch nicht hinterlegt. Schicken Sie uns den Bescheid, dann stehen hier ' +
          'die Fristen.',
      )
    case 'baeume_fehlen':
      return one
        ? t('Noch 1 Baum fehlt bis zum Soll von {soll}.', { soll: formatNumber(soll ?? 0) })
        : t('Noch {n} Bäume fehlen bis zum Soll von {soll}.', { n, soll: formatNumber(soll ?? 0) })
    case 'markierung_fehlt':
      return one
        ? t('1 erfasster Baum ist noch zu markieren.')
        : t('{n} erfasste Bäume sind noch zu markieren.', { n })
    case 'frist_versaeumt':
      return t(
        'Die Frist für die Markierung ist am {tag} abgelaufen. Bitte sprechen Sie mit der Bewilligungsstelle.',
        { tag },
      )
    case 'frist_bald':
      return anzahl === 0
        ? t('Die Frist für die Markierung endet heute.')
        : one
          ? t('Die Frist für die Markierung endet morgen, am {tag}.', { tag })
          : t('Die Frist für die Markierung endet in {n} Tagen, am {tag}.', { n, tag })
    case 'naturwald':
      return t('Über {ab} ha Fläche sind {ha} ha (5 %) der natürlichen Entwicklung zu überlassen.', {
        ab: formatNumber(NATURAL_FOREST_FROM_HA),
        ha: formatNumber(naturwald_soll ?? 0, 2),
      })
    case 'ohne_bild':
      return one ? t('1 Baum hat noch kein Foto.') : t('{n} Bäume haben noch kein Foto.', { n })
  }
}
