// Details of the clicked object.
import type { UseQueryResult } from '@tanstack/react-query'
import { useHasRole } from '../../data/session.ts'
import { PhotoGallery } from '../../record/photos/PhotoGallery.tsx'
import { fieldName, fixName, kindWords } from '../../record/kataster/kataster-words.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { DateText, fact, Facts, NumberText } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { ObjectRecord, ObjectTarget } from './kataster.data.ts'
import { objectHref, photosOf } from './object.data.ts'
import { surveyedText, wortOf } from './kataster-words.ts'

export function ObjectCard({
  ziel,
  satz,
  onZoom,
  onEnd,
}: {
  ziel: ObjectTarget
  satz: UseQueryResult<ObjectRecord>
  onZoom?: (() => void) | undefined
  onEnd: () => void
}) {
  const { data, isPending, error, refetch } = satz
  const team = useHasRole('apus_admin', 'apus_team')
  const name = data?.schluessel ?? String(ziel.id)
  return (
    <section className="kataster-objekt" aria-label={t('Gewähltes Objekt')} aria-live="polite">
      <div className="kataster-kopf">
        <h3>
          {kindWords(ziel.art).one} {name}
        </h3>
        <IconButton icon="close" size="small" label={t('Auswahl aufheben')} onClick={onEnd} />
      </div>
      {data ? (
        <>
          <Facts
            facts={[
              fact(t('Einmessung'), surveyedText(wortOf(data.vermessen))),
              fact(t('Art'), data.art),
              ...(data.laenge === undefined
                ? []
                : [fact(t('Leitungslänge'), <NumberText key="l" value={data.laenge} digits={1} unit="m" />)]),
              fact(t('Nennweite'), data.dn === null ? null : `DN ${data.dn}`),
              fact(t('Material'), data.material),
              ...(
                [
                  [t('Höhe'), data.hoehe, 2, 'm'],
                  [t('Sohlhöhe'), data.sohlhoehe, 2, 'm'],
                  [t('Tiefe'), data.tiefe, 2, 'm'],
                  [t('Gefälle'), data.gefaelle, 2, '%'],
                  [t('Abstand'), data.abstand, 1, 'm'],
                  [t('Genauigkeit'), data.genauigkeit_cm, 1, 'cm'],
                ] as const
              ).flatMap(([label, value, digits, unit]) =>
                value === null || value === undefined
                  ? []
                  : [fact(label, <NumberText key={label} value={value} digits={digits} unit={unit} />)],
              ),
              ...(data.lage_fix === null
                ? []
                : [
                    fact(
                      fieldName('lage_fix'),
                      data.genauigkeit_geschaetzt
                        ? t('{fix}, Genauigkeit geschätzt', { fix: fixName(data.lage_fix) })
                        : fixName(data.lage_fix),
                    ),
                  ]),
              fact(t('Erfassungsquelle'), data.erfq),
              fact(t('Qualität'), data.qdt),
              ...(data.zustand === null ? [] : [fact(t('Zustand'), data.zustand)]),
              ...(data.baujahr === null ? [] : [fact(t('Baujahr'), data.baujahr)]),
              ...(data.plan_nr === null ? [] : [fact(t('Plan'), data.plan_nr)]),
              ...(data.datum === null ? [] : [fact(t('Stand'), <DateText key="d" value={data.datum} />)]),
              ...(data.bemerkung === null ? [] : [fact(t('Bemerkung'), data.bemerkung)]),
            ]}
          />
          <div className="kataster-taten">
            <ButtonLink size="small" icon="edit" href={objectHref(ziel)}>
              {team ? t('Öffnen und ändern') : t('Alles zum Objekt')}
            </ButtonLink>
            {onZoom && (
              <Button size="small" icon="search" onClick={onZoom}>
                {t('Dorthin vergrößern')}
              </Button>
            )}
          </div>
          <h4>{t('Fotos')}</h4>
          <PhotoGallery photos={{ ...photosOf(ziel, data, team), mayAdd: false }} />
        </>
      ) : isPending ? (
        <Skeleton lines={5} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </section>
  )
}
