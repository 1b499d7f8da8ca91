// How well the points fit, in QGIS terms and in plain words, and what is wrong with them.
import { useMemo } from 'react'
import { type Gain, gainOf } from '#domain/georef/gain.ts'
import { MIN_POINTS } from '#domain/georef/transform.ts'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import { usedPoints, type State } from '#domain/georef/session.ts'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { isDegrees, defectText, pixelText } from './georef-words.ts'

interface Size {
  readonly width: number
  readonly height: number
}

export function Quality({
  stand,
  evaluation,
  isComputing,
  size,
}: {
  stand: State
  evaluation: Evaluation
  isComputing: boolean
  /** Of the scan, in pixels. */
  size: Size
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
      {!isComputing && <Certainty stand={stand} evaluation={evaluation} size={size} />}
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

/** With more points the figure hardly changes, and computing it would take longer than a frame. */
const MOST_FOR_GAIN = 300
/** A point that makes the worst place less than this much better is not worth the work. */
const WORTH = 0.1

/** How sure the place is where the sheet is least certain, and what a further point would do about it. */
function Certainty({ stand, evaluation, size }: { stand: State; evaluation: Evaluation; size: Size }) {
  const { typ } = stand
  const meanError = evaluation.quality?.meanError ?? 0
  const { width, height } = size
  const gain = useMemo(() => {
    const used = usedPoints(stand)
    return used.length > MOST_FOR_GAIN ? null : gainOf(typ, used, meanError, { width, height })
  }, [stand, typ, meanError, width, height])
  if (gain === null || evaluation.aufloesung === null) return null
  const onGround = (pixels: number): string =>
    isDegrees(stand.epsg)
      ? t('{value} Pixel', { value: pixelText(pixels, 1) })
      : t('{value} m', { value: formatNumber(pixels * (evaluation.aufloesung ?? 0), 2) })
  const isWorth = gain.after < gain.now * (1 - WORTH)
  return (
    <p className="soft">
      {t('Am unsichersten Rand des Plans: ± {error}.', { error: onGround(gain.now) })}{' '}
      {isWorth
        ? t('Ein weiterer Punkt {where} macht daraus ± {error}.', {
            where: whereText(gain, size),
            error: onGround(gain.after),
          })
        : t('Ein weiterer Punkt hilft kaum noch.')}
    </p>
  )
}

function whereText({ spalte, zeile }: Gain, { width, height }: Size): string {
  const third = (value: number, of: number): 0 | 1 | 2 => (value < of / 3 ? 0 : value > (2 * of) / 3 ? 2 : 1)
  const words = [
    [t('oben links'), t('oben'), t('oben rechts')],
    [t('links'), t('in der Mitte'), t('rechts')],
    [t('unten links'), t('unten'), t('unten rechts')],
  ] as const
  return words[third(zeile, height)][third(spalte, width)]
}
