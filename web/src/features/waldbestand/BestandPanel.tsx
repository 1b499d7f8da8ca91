// Details of the selected stand: its figures and its species, layer by layer.
import { useQuery } from '@tanstack/react-query'
import type { Baumart } from '#contract/bestand.ts'
import { classText } from '#domain/bestand.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { DateText, fact, Facts, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { TableRow } from './bestand-list.tsx'
import { baumartenQuery } from './waldbestand.data.ts'
import { yearsText } from './waldbestand-words.ts'

interface Props {
  row: TableRow
  /** Neighbours in the sequence of the list. */
  previous: TableRow | undefined
  next: TableRow | undefined
  onChoose: (id: number | null) => void
}

export function BestandPanel({ row, previous, next, onChoose }: Props) {
  return (
    <section className="wald-tafel" aria-label={t('Gewählter Bestand')} aria-live="polite">
      <div className="wald-kopf">
        <h3>{row.adresse}</h3>
        <IconButton icon="close" size="small" label={t('Auswahl aufheben')} onClick={() => onChoose(null)} />
      </div>
      <BestandFacts row={row} />
      <Species row={row} />
      <div className="wald-blaettern">
        <Button
          size="small"
          icon="chevronLeft"
          disabled={!previous}
          onClick={() => previous && onChoose(previous.id)}
        >
          {t('Voriger')}
        </Button>
        <Button size="small" icon="chevronRight" disabled={!next} onClick={() => next && onChoose(next.id)}>
          {t('Nächster')}
        </Button>
      </div>
    </section>
  )
}

function BestandFacts({ row }: Pick<Props, 'row'>) {
  return (
    <Facts
      facts={[
        fact(t('Fläche'), <NumberText value={row.ha} digits={2} unit="ha" />),
        fact(
          t('Alter'),
          row.alter === null
            ? null
            : row.ageClass === null
              ? row.alter === 1
                ? t('1 Jahr')
                : t('{n} Jahre', { n: row.alter })
              : t('{n} Jahre, Klasse {k}', { n: row.alter, k: classText(row.ageClass) }),
        ),
        ...(row.alter === null && row.ageClass !== null
          ? [fact(t('Altersklasse'), `${classText(row.ageClass)} (${yearsText(row.ageClass)})`)]
          : []),
        fact(
          t('Vorrat'),
          row.totalStock === null
            ? null
            : t('{n} Vfm, {m} je ha', {
                n: formatNumber(Math.round(row.totalStock)),
                m: formatNumber(Math.round(row.totalStock / row.ha)),
              }),
        ),
        fact(t('Bestandestyp'), row.bestandestyp),
        fact(t('Nutzungsart'), row.nutzungsart),
        fact(t('Stichtag'), row.tag === null ? null : <DateText value={row.tag} />),
        ...(row.bemerkung === null ? [] : [fact(t('Bemerkung'), row.bemerkung)]),
      ]}
    />
  )
}

/** The species of the stand, layer by layer if there are several. */
function Species({ row }: Pick<Props, 'row'>) {
  const query = useQuery(baumartenQuery(row.id))
  if (query.data === undefined)
    return query.isPending ? (
      <Skeleton lines={3} />
    ) : (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    )
  if (query.data.length === 0)
    return <p className="soft">{t('Für diesen Bestand nennt die Forsteinrichtung keine Baumarten.')}</p>
  const layers = new Set(query.data.map(({ schicht }) => schicht))
  return (
    <DataTable
      caption={t('Baumarten von {name}', { name: row.adresse })}
      columns={speciesColumns(layers.size > 1)}
      rows={query.data}
      rowKey={({ id }) => id}
    />
  )
}

const speciesColumns = (withLayer: boolean): readonly Column<Baumart>[] => [
  ...(withLayer
    ? [
        {
          key: 'schicht',
          title: t('Schicht'),
          cell: (one: Baumart) => one.schicht ?? '–',
        },
      ]
    : []),
  { key: 'baumart', title: t('Baumart'), cell: ({ baumart }) => baumart },
  {
    key: 'anteil',
    title: '%',
    align: 'end',
    cell: ({ anteil }) => <NumberText value={anteil} digits={0} />,
  },
  {
    key: 'alter',
    title: t('Alter'),
    align: 'end',
    cell: ({ alter }) => <NumberText value={alter} digits={0} />,
  },
  { key: 'ek', title: t('E.-Klasse'), cell: ({ ertragsklasse }) => ertragsklasse ?? '–' },
  {
    key: 'vorrat',
    title: t('Vorrat'),
    align: 'end',
    cell: ({ vorrat }) => <NumberText value={vorrat} digits={0} unit="Vfm" />,
  },
]
