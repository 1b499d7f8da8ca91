// Earlier versions of the points: every save is kept and can be viewed and restored.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KarteVersion } from '#contract/karte.ts'
import { evaluatePoints } from '#domain/georef/evaluation.ts'
import { epsgName } from '#domain/epsg.ts'
import type { NewPoint, Values } from '#domain/georef/session.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Dialog.tsx'
import { DateText, Facts, fact } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { earlierVersion, states, fromTable } from './georef.data.ts'
import { coordinateText, pixelText } from './georef-words.ts'

interface Props {
  karteId: string
  breite: number
  hoehe: number
  onTake: (points: readonly NewPoint[], values: Partial<Values>) => void
  onClose: () => void
}

export function VersionsDialog({ karteId, breite, hoehe, onTake, onClose }: Props) {
  const { data, error, refetch } = useQuery({ ...states(karteId), staleTime: 0 })
  const [opened, setOpen] = useState<number | null>(null)
  return (
    <Drawer open title={t('Frühere Stände')} width="wide" onClose={onClose}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : data.length === 0 ? (
        <EmptyState icon="history" title={t('Noch nichts gespeichert')}>
          {t('Jedes Speichern der Punkte legt hier einen Stand ab, der wieder aufgenommen werden kann.')}
        </EmptyState>
      ) : (
        <ol className="georef-staende">
          {data.map((stand, index) => (
            <li key={stand.id}>
              <div className="georef-stand-kopf">
                <div>
                  <strong>
                    <DateText value={stand.angelegt_am} time />
                  </strong>{' '}
                  {index === 0 && <span className="soft">{t('zuletzt gespeichert')}</span>}
                  <div className="soft">
                    {[
                      stand.wer ?? t('Jemand'),
                      t('{used} von {all} Punkten benutzt', { used: stand.benutzt, all: stand.punkte }),
                      stand.georef_typ === null ? null : typeNames()[stand.georef_typ],
                      epsgName(stand.epsg),
                    ]
                      .filter((part) => part !== null)
                      .join(' · ')}
                  </div>
                </div>
                <Button
                  size="small"
                  aria-expanded={opened === stand.id}
                  onClick={() => setOpen(opened === stand.id ? null : stand.id)}
                >
                  {opened === stand.id ? t('Zuklappen') : t('Ansehen')}
                </Button>
              </div>
              {opened === stand.id && <Content stand={stand} breite={breite} hoehe={hoehe} onTake={onTake} />}
            </li>
          ))}
        </ol>
      )}
    </Drawer>
  )
}

const SHOWN = 200

function Content({
  stand,
  breite,
  hoehe,
  onTake,
}: { stand: KarteVersion } & Pick<Props, 'breite' | 'hoehe' | 'onTake'>) {
  const { data, error, refetch } = useQuery(earlierVersion(stand.id))
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={4} />
  const points = (data ?? []).map(fromTable)
  const kind = stand.georef_typ ?? 'polynom1'
  const { rest, quality } = evaluatePoints(
    kind,
    points.map((point) => ({ ...point, enable: point.enable ?? true })),
    breite,
    hoehe,
  )
  return (
    <div className="stack">
      <Facts
        facts={[
          fact(t('RMSE'), quality === null ? '–' : t('{value} Pixel', { value: pixelText(quality.rmse) })),
          fact(
            t('Mittlerer Fehler (wie QGIS)'),
            quality === null ? '–' : t('{value} Pixel', { value: pixelText(quality.meanError) }),
          ),
          fact(t('Bezeichnung'), stand.georef_label),
        ]}
      />
      {points.length > 0 && (
        <section className="table-scroll georef-stand-punkte" aria-label={t('Punkte dieses Standes')}>
          <table className="table">
            <thead>
              <tr>
                {[t('Nr.'), t('Ost'), t('Nord'), t('Spalte'), t('Zeile'), t('Restfehler')].map((title) => (
                  <th key={title} scope="col" className="cell-end">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.slice(0, SHOWN).map((point, index) => (
                <tr key={index} className={point.enable === false ? 'georef-aus' : undefined}>
                  <td className="cell-end">{index + 1}</td>
                  <td className="cell-end">{coordinateText(point.ost, stand.epsg)}</td>
                  <td className="cell-end">{coordinateText(point.nord, stand.epsg)}</td>
                  <td className="cell-end">{pixelText(point.spalte)}</td>
                  <td className="cell-end">{pixelText(point.zeile)}</td>
                  <td className="cell-end">{pixelText(rest[index]?.laenge)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {points.length > SHOWN && <p className="soft">{t('und {n} weitere', { n: points.length - SHOWN })}</p>}
      <Button
        variant="primary"
        icon="history"
        onClick={() =>
          onTake(points, { typ: kind, epsg: stand.epsg, res: stand.res, label: stand.georef_label })
        }
      >
        {t('Diesen Stand wieder aufnehmen')}
      </Button>
      <p className="soft">
        {t('Gespeichert wird er erst mit „Speichern“; vorher lässt er sich mit Strg+Z zurücknehmen.')}
      </p>
    </div>
  )
}
