// Earlier states of the points: each save is kept, can be looked at and taken again.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KarteStand } from '#contract/karte.ts'
import { auswerten } from '#domain/georef/auswertung.ts'
import { epsgName } from '#domain/epsg.ts'
import type { NeuerPunkt, Werte } from '#domain/georef/sitzung.ts'
import { typNamen } from '../../karte/verfahren.ts'
import { Button } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Dialog.tsx'
import { DateText, Facts, fact } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { fruehererStand, staende, vonTabelle } from './georef.data.ts'
import { ortText, pixelText } from './georef-words.ts'

interface Props {
  karteId: string
  breite: number
  hoehe: number
  onNehmen: (punkte: readonly NeuerPunkt[], werte: Partial<Werte>) => void
  onClose: () => void
}

export function StaendeDialog({ karteId, breite, hoehe, onNehmen, onClose }: Props) {
  const { data, error, refetch } = useQuery({ ...staende(karteId), staleTime: 0 })
  const [offen, setOffen] = useState<number | null>(null)
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
                      stand.georef_typ === null ? null : typNamen()[stand.georef_typ],
                      epsgName(stand.epsg),
                    ]
                      .filter((part) => part !== null)
                      .join(' · ')}
                  </div>
                </div>
                <Button size="small" aria-expanded={offen === stand.id} onClick={() => setOffen(offen === stand.id ? null : stand.id)}>
                  {offen === stand.id ? t('Zuklappen') : t('Ansehen')}
                </Button>
              </div>
              {offen === stand.id && <Inhalt stand={stand} breite={breite} hoehe={hoehe} onNehmen={onNehmen} />}
            </li>
          ))}
        </ol>
      )}
    </Drawer>
  )
}

const SHOWN = 200

function Inhalt({ stand, breite, hoehe, onNehmen }: { stand: KarteStand } & Pick<Props, 'breite' | 'hoehe' | 'onNehmen'>) {
  const { data, error, refetch } = useQuery(fruehererStand(stand.id))
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={4} />
  const punkte = (data ?? []).map(vonTabelle)
  const typ = stand.georef_typ ?? 'polynom1'
  const { rest, guete } = auswerten(
    typ,
    punkte.map((punkt) => ({ ...punkt, enable: punkt.enable ?? true })),
    breite,
    hoehe,
  )
  return (
    <div className="stack">
      <Facts
        facts={[
          fact(t('RMSE'), guete === null ? '–' : t('{value} Pixel', { value: pixelText(guete.rmse) })),
          fact(t('Mittlerer Fehler (wie QGIS)'), guete === null ? '–' : t('{value} Pixel', { value: pixelText(guete.mittlererFehler) })),
          fact(t('Bezeichnung'), stand.georef_label),
        ]}
      />
      {punkte.length > 0 && (
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
              {punkte.slice(0, SHOWN).map((punkt, index) => (
                <tr key={index} className={punkt.enable === false ? 'georef-aus' : undefined}>
                  <td className="cell-end">{index + 1}</td>
                  <td className="cell-end">{ortText(punkt.ost, stand.epsg)}</td>
                  <td className="cell-end">{ortText(punkt.nord, stand.epsg)}</td>
                  <td className="cell-end">{pixelText(punkt.spalte)}</td>
                  <td className="cell-end">{pixelText(punkt.zeile)}</td>
                  <td className="cell-end">{pixelText(rest[index]?.laenge)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {punkte.length > SHOWN && <p className="soft">{t('und {n} weitere', { n: punkte.length - SHOWN })}</p>}
      <Button
        variant="primary"
        icon="history"
        onClick={() => onNehmen(punkte, { typ, epsg: stand.epsg, res: stand.res, label: stand.georef_label })}
      >
        {t('Diesen Stand wieder aufnehmen')}
      </Button>
      <p className="soft">{t('Gespeichert wird er erst mit „Speichern“; vorher lässt er sich mit Strg+Z zurücknehmen.')}</p>
    </div>
  )
}
