// How well the points fit, in the words of QGIS and in plain ones, and what is wrong with them.
import { MINDESTPUNKTE } from '#domain/georef/abbildung.ts'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import { benutzte, type Stand } from '#domain/georef/sitzung.ts'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { istGrad, mangelText, pixelText } from './georef-words.ts'

export function Guete({ stand, auswertung, rechnet }: { stand: Stand; auswertung: Auswertung; rechnet: boolean }) {
  const spline = stand.typ === 'tps'
  const used = benutzte(stand).length
  const unsolved = auswertung.netz === null
  return (
    <div className="georef-guete" aria-busy={rechnet}>
      {auswertung.guete === null ? (
        !rechnet && <span className="soft">{t('Noch keine Lage')}</span>
      ) : (
        <dl className="georef-zahlen">
          <div title={t('Wurzel aus dem Mittel der Quadrate aller Restfehler')}>
            <dt>{t('RMSE')}</dt>
            <dd>{t('{value} Pixel', { value: pixelText(auswertung.guete.rmse, 3) })}</dd>
          </div>
          <div title={t('Geteilt durch die Punkte, die über die nötigen hinaus da sind: die Zahl, die QGIS zeigt')}>
            <dt>{t('Mittlerer Fehler (wie QGIS)')}</dt>
            <dd>{t('{value} Pixel', { value: pixelText(auswertung.guete.mittlererFehler, 3) })}</dd>
          </div>
          {auswertung.aufloesung !== null && (
            <div>
              <dt>{t('Ein Pixel des Scans')}</dt>
              <dd>
                {t('{value} {unit} auf der Karte', {
                  value: formatNumber(auswertung.aufloesung, istGrad(stand.epsg) ? 8 : 3),
                  unit: istGrad(stand.epsg) ? '°' : 'm',
                })}
              </dd>
            </div>
          )}
        </dl>
      )}
      {rechnet && <span className="soft">{t('wird gerechnet …')}</span>}
      {spline && auswertung.guete !== null && (
        <p className="soft">{t('Ein Spline geht durch jeden Punkt; was er taugt, sagt nur die Spalte „Ausgelassen“.')}</p>
      )}
      {stand.punkte.length > 0 && auswertung.maengel.length > 0 && (
        <Notice tone="warning">
          <ul className="georef-maengel">
            {auswertung.maengel.map((mangel, index) => (
              <li key={index}>{mangelText(mangel, stand.typ)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {!unsolved && used === MINDESTPUNKTE[stand.typ] && (
        <p className="soft">{t('Genau so viele Punkte wie nötig: der Fehler ist immer null. Ein weiterer Punkt zeigt, ob sie stimmen.')}</p>
      )}
    </div>
  )
}
