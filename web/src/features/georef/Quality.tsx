// How well the points fit, in QGIS terms and in plain words, and what is wrong with them.
import { MIN_POINTS } from '#domain/georef/transform.ts'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import { usedPoints, type State } from '#domain/georef/session.ts'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { isDegrees, defectText, pixelText } from './georef-words.ts'

export function Quality({
  stand,
  evaluation,
  isComputing,
}: {
  stand: State
  evaluation: Evaluation
  isComputing: boolean
}) {
  const spline = stand.typ === 'tps'
  const used = usedPoints(stand).length
  const unsolved = evaluation.mesh === null
  return (
    <div className="georef-guete" aria-busy={isComputing}>
      {evaluation.quality === null ? (
        !isComputing && <span className="soft">{t('Noch keine Lage')}</span>
      ) : (
        <dl className="georef-zahlen">
          <div title={t('Wurzel aus dem Mittel der Quadrate aller Restfehler')}>
            <dt>{t('RMSE')}</dt>
            <dd>{t('{value} Pixel', { value: pixelText(evaluation.quality.rmse, 3) })}</dd>
          </div>
          <div
            title={t(
              'Geteilt durch die Punkte, die über die nötigen hinaus da sind: die Zahl, die QGIS zeigt',
            )}
          >
            <dt>{t('Mittlerer Fehler (wie QGIS)')}</dt>
            <dd>{t('{value} Pixel', { value: pixelText(evaluation.quality.meanError, 3) })}</dd>
          </div>
          {evaluation.aufloesung !== null && (
            <div>
              <dt>{t('Ein Pixel des Scans')}</dt>
              <dd>
                {t('{value} {unit} auf der Karte', {
                  value: formatNumber(evaluation.aufloesung, isDegrees(stand.epsg) ? 8 : 3),
                  unit: isDegrees(stand.epsg) ? '°' : 'm',
                })}
              </dd>
            </div>
          )}
        </dl>
      )}
      {isComputing && <span className="soft">{t('wird gerechnet …')}</span>}
      {spline && evaluation.quality !== null && (
        <p className="soft">
          {t('Ein Spline geht durch jeden Punkt; wie gut er passt, zeigt nur die Spalte „Ausgelassen“.')}
        </p>
      )}
      {stand.punkte.length > 0 && evaluation.defects.length > 0 && (
        <Notice tone="warning">
          <ul className="georef-maengel">
            {evaluation.defects.map((defect, index) => (
              <li key={index}>{defectText(defect, stand.typ)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {!unsolved && used === MIN_POINTS[stand.typ] && (
        <p className="soft">
          {t(
            'Genau so viele Punkte wie nötig: der Fehler ist immer null. Ein weiterer Punkt zeigt, ob sie stimmen.',
          )}
        </p>
      )}
    </div>
  )
}
