// Trees by stand: map, selected stand and list of the same rows. The filters are in the address.
import { useMemo } from 'react'
import type { KawmBestaende } from '#contract/kawm.ts'
import { arrange } from '../../list/array-source.ts'
import { WithoutFe } from '../../list/FeModule.tsx'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, Facts, fact, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { KawmKarte } from './KawmKarte.tsx'
import { kawmList, rowsOf, type TableRow } from './kawm-list.tsx'

export function Bestaende({ data, stand }: { data: KawmBestaende; stand: number }) {
  const rows = useMemo(() => rowsOf(data), [data])
  if (data.umfang !== 'alles')
    return (
      <Card title={t('Bestände')}>
        <WithoutFe umfang={data.umfang} hq={data} />
      </Card>
    )
  if (rows.length === 0)
    return (
      <Card title={t('Bestände')}>
        <EmptyState icon="forest" title={t('Noch keine Forsteinrichtung')}>
          {t(
            'Sobald die Bestände eingelesen sind, sehen Sie hier, in welchen Bäume stehen und wo noch welche fehlen.',
          )}
        </EmptyState>
      </Card>
    )
  return <WithBestaende data={data} rows={rows} stand={stand} />
}

interface WithBestaendeProps {
  data: KawmBestaende
  rows: readonly TableRow[]
  stand: number
}

function WithBestaende({ data, rows, stand }: WithBestaendeProps) {
  const view = useView()
  const list = useMemo(() => kawmList(data, rows, stand), [data, rows, stand])
  const model = useList(list)
  const matching = useMemo(() => arrange(list, rows, model.shown), [list, rows, model.shown])
  const asked = view.search['bestand']
  const row = asked === undefined ? undefined : rows.find(({ id }) => String(id) === asked)
  const without = rows.filter(({ erfasst }) => erfasst === 0).length
  const { ohne_bestand } = data
  return (
    <>
      <Card title={t('Bäume je Hektar')}>
        <div className="stack">
          <p>
            {without === 0
              ? t('In jedem Bestand steht mindestens ein Baum.')
              : t('Bestände, in denen noch kein Baum steht: {ohne} von {n}.', {
                  ohne: formatNumber(without),
                  n: formatNumber(rows.length),
                })}{' '}
            {ohne_bestand.erfasst > 0 &&
              (ohne_bestand.erfasst === 1
                ? t('1 Baum steht in keinem Bestand.')
                : t('{n} Bäume stehen in keinem Bestand.', { n: formatNumber(ohne_bestand.erfasst) }))}{' '}
            <span className="soft">
              {t(
                'Ein Baum zählt zu dem Bestand, den seine Waldadresse nennt, sonst zu dem, in dem er steht. ' +
                  'Die Vorgabe gilt für die ganze Fläche, nicht für jeden Bestand.',
              )}
            </span>
          </p>
          <KawmKarte
            idHQ={data.idHQ}
            name={data.sHQ}
            rows={rows}
            matching={matching}
            gewaehlt={row?.id ?? null}
          />
          {row === undefined ? (
            <p className="soft">
              {t('Drücken Sie auf der Karte oder in der Liste einen Bestand, um seine Zahlen zu sehen.')}
            </p>
          ) : (
            <Panel
              key={row.id}
              row={row}
              hq={data.idHQ}
              onClose={() => view.setSearch({ bestand: undefined }, { replace: true })}
            />
          )}
        </div>
      </Card>
      <ListCard model={model} />
    </>
  )
}

function Panel({ row, hq, onClose }: { row: TableRow; hq: number; onClose: () => void }) {
  const { adresse, ha, erfasst, markiert, anwaerter, byLocation, fehlt, l, s } = row
  const filter = [
    ...l.map((wert, at) =>
      wert === null
        ? ''
        : `&e${at + 1}=${encodeURIComponent(wert.replaceAll('%', '%25').replaceAll(',', '%2C'))}`,
    ),
    s === null ? '' : `&stand=${s}`,
  ].join('')
  return (
    <section className="kawm-tafel" aria-label={t('Bestand {name}', { name: adresse })}>
      <div className="kawm-tafel-kopf">
        <h3>{adresse}</h3>
        <Button size="small" icon="close" onClick={onClose}>
          {t('Schließen')}
        </Button>
      </div>
      <Facts
        facts={[
          fact(t('Fläche'), <NumberText key="ha" value={ha} digits={2} unit="ha" />),
          fact(t('Bäume je ha'), <NumberText key="d" value={row.perHa} digits={2} />),
          fact(t('Erfasst'), <NumberText key="e" value={erfasst} />),
          fact(t('Markiert'), <NumberText key="m" value={markiert} />),
          fact(t('Anwärter'), <NumberText key="a" value={anwaerter} />),
          fact(t('Bis 5 je ha fehlen'), <NumberText key="f" value={fehlt} />),
          ...(byLocation === 0
            ? []
            : [fact(t('Nach Lage zugeordnet'), <NumberText key="n" value={byLocation} />)]),
        ]}
      />
      {erfasst > byLocation && (
        <ButtonLink href={`/habitatbaeume/index?fb=${hq}${filter}`} icon="tree">
          {t('Bäume mit dieser Waldadresse')}
        </ButtonLink>
      )}
    </section>
  )
}
