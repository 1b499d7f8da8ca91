// Borders walked in the forest: each proposal on the map beside the border as it is, applied or refused; decided
// ones stay as the history.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import type { BorderProposal, BorderProposalDetails } from '#contract/border.ts'
import { addressText } from '#domain/bestand.ts'
import { useHasRole } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, fact, Facts, Notice, type Tone } from '../../ui/Display.tsx'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { Actions, Page, Stack } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { borderQuery, bordersQuery } from './borders.data.ts'
import { ApplyDialog, RefuseDialog } from './BorderDialogs.tsx'
import { ProposalMap } from './ProposalMap.tsx'
import './waldbestand.css'

const STATES: Readonly<Record<BorderProposal['stand'], readonly [Tone, () => string]>> = {
  offen: ['warning', () => t('zu prüfen')],
  uebernommen: ['success', () => t('in den Plan übernommen')],
  abgelehnt: ['neutral', () => t('abgelehnt')],
}
const levelsOf = (one: BorderProposal) => ({
  l: [one.sLVL01, one.sLVL02, one.sLVL03, one.sLVL04, one.sLVL05],
  s: one.iSTAND,
})
export const haText = (ha: number): string => t('{n} ha', { n: formatNumber(ha, 4) })
const signedHa = (ha: number): string => `${ha < 0 ? '−' : '+'}${haText(Math.abs(ha))}`

interface Props {
  forest: Waldbestand
  choice: ReactNode
}
export function BordersPage({ forest, choice }: Props) {
  const { search, setSearch } = useView()
  const hq = String(forest.idHQ)
  const query = useQuery(bordersQuery(hq))
  const { data } = query
  const asked = Number(search['grenze'])
  const chosen = data?.find(({ id }) => id === asked) ?? data?.[0]
  return (
    <Page
      title={t('Grenzen aus dem Wald')}
      subtitle={forest.sHQ}
      actions={<ButtonLink href={`/waldbestand/index?fb=${hq}`}>{t('Zum Waldbestand')}</ButtonLink>}
    >
      {choice}
      {data === undefined ? (
        query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={8} />
        )
      ) : data.length === 0 ? (
        <Card>
          <EmptyState icon="forest" title={t('Noch keine Grenze aufgenommen')}>
            {t(
              'Im Feldmodus gehen Sie um einen Bestand herum: auf der Karte „Grenze aufnehmen“. Was übertragen ist, ' +
                'prüfen und übernehmen Sie hier.',
            )}
          </EmptyState>
        </Card>
      ) : (
        <Stack>
          {chosen !== undefined && <Chosen key={chosen.id} id={chosen.id} forest={forest} />}
          <Card title={t('Alle Vorschläge')}>
            <List
              rows={data}
              forest={forest}
              chosen={chosen?.id ?? null}
              onChoose={(id) => setSearch({ grenze: String(id) }, { replace: true })}
            />
          </Card>
        </Stack>
      )}
    </Page>
  )
}

interface ListProps {
  rows: readonly BorderProposal[]
  forest: Waldbestand
  chosen: number | null
  onChoose: (id: number) => void
}
const List = ({ rows, forest, chosen, onChoose }: ListProps) => (
  <DataTable<BorderProposal>
    caption={t('Vorschläge')}
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      {
        key: 'stand',
        title: t('Bestand'),
        cell: (one) => (
          <Button
            variant="quiet"
            size="small"
            aria-pressed={one.id === chosen}
            onClick={() => onChoose(one.id)}
          >
            {addressText(levelsOf(one), forest.ebenen)}
          </Button>
        ),
      },
      {
        key: 'status',
        title: t('Status'),
        cell: ({ stand }) => {
          const [tone, text] = STATES[stand]
          return <Badge tone={tone}>{text()}</Badge>
        },
      },
      { key: 'ha', title: t('Fläche'), align: 'end', cell: (one) => haText(one.danach_ha ?? one.flaeche_ha) },
      {
        key: 'diff',
        title: t('Änderung'),
        align: 'end',
        cell: (one) => {
          const before = one.stand === 'uebernommen' ? one.vorher_ha : one.ziel_ha
          return before === null ? t('neuer Bestand') : signedHa((one.danach_ha ?? one.flaeche_ha) - before)
        },
      },
      {
        key: 'wer',
        title: t('Erfasst'),
        cell: (one) => [one.wer, formatDateTime(one.erfasst_am)].filter(Boolean).join(', '),
      },
      {
        key: 'entschieden',
        title: t('Entschieden'),
        cell: (one) =>
          one.entschieden_am === null
            ? ''
            : [one.entschieden_von, formatDateTime(one.entschieden_am)].filter(Boolean).join(', '),
      },
    ]}
  />
)

function Chosen({ id, forest }: { id: number; forest: Waldbestand }) {
  const query = useQuery(borderQuery(String(forest.idHQ), id))
  const { data } = query
  if (data === undefined)
    return query.isError ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton lines={8} />
    )
  return <Details details={data} forest={forest} />
}

function Details({ details, forest }: { details: BorderProposalDetails; forest: Waldbestand }) {
  const admin = useHasRole('ogf_admin')
  const [asking, setAsking] = useState<'uebernehmen' | 'ablehnen' | null>(null)
  const [tone, text] = STATES[details.stand]
  const isOpen = details.stand === 'offen'
  const isGone = isOpen && details.bestand_id !== null && details.ziel_id === null
  const close = () => setAsking(null)
  return (
    <Card title={addressText(levelsOf(details), forest.ebenen)}>
      <div className="wald-flaeche">
        <ProposalMap details={details} />
        <section className="wald-tafel" aria-label={t('Vorschlag')}>
          <div>
            <Badge tone={tone}>{text()}</Badge>
          </div>
          {isGone && (
            <Notice tone="danger" title={t('Diesen Bestand gibt es nicht mehr')}>
              {t(
                'Die Forsteinrichtung wurde inzwischen neu importiert. Der Vorschlag lässt sich nur ' +
                  'ablehnen.',
              )}
            </Notice>
          )}
          {details.geaendert && !isGone && (
            <Notice tone="warning" title={t('Die Grenze hat sich inzwischen geändert')}>
              {t(
                'Der Vorschlag entstand zu einer älteren Grenze. Die Karte zeigt die heutige; wenn Sie ' +
                  'übernehmen, wird sie ersetzt.',
              )}
            </Notice>
          )}
          <ProposalFacts details={details} />
          {isOpen && <Meetings details={details} ebenen={forest.ebenen} />}
          {isOpen && admin && (
            <Actions>
              <Button variant="primary" disabled={isGone} onClick={() => setAsking('uebernehmen')}>
                {t('Übernehmen')}
              </Button>
              <Button onClick={() => setAsking('ablehnen')}>{t('Ablehnen')}</Button>
            </Actions>
          )}
          {isOpen && !admin && (
            <p className="soft">{t('Die Verwaltung kann den Vorschlag übernehmen oder ablehnen.')}</p>
          )}
        </section>
      </div>
      {asking === 'uebernehmen' && <ApplyDialog details={details} forest={forest} onClose={close} />}
      {asking === 'ablehnen' && <RefuseDialog details={details} onClose={close} />}
    </Card>
  )
}

function ProposalFacts({ details: one }: { details: BorderProposalDetails }) {
  const before = one.stand === 'uebernommen' ? one.vorher_ha : one.ziel_ha
  const after = one.danach_ha ?? one.flaeche_ha
  return (
    <Facts
      facts={[
        fact(t('Neue Fläche'), haText(after)),
        fact(
          one.stand === 'uebernommen' ? t('Frühere Fläche') : t('Fläche im Plan'),
          before === null ? t('neuer Bestand') : haText(before),
        ),
        fact(t('Änderung'), before === null ? null : signedHa(after - before)),
        fact(
          t('Genauigkeit'),
          one.genauigkeit_m === null
            ? t('auf der Karte gesetzt')
            : t('im Mittel {m} m, höchstens {w} m', {
                m: formatNumber(one.genauigkeit_m, one.genauigkeit_m < 1 ? 2 : 1),
                w: formatNumber(one.genauigkeit_max_m ?? 0, 1),
              }),
        ),
        fact(t('Punkte der Spur'), formatNumber(one.punkte)),
        fact(t('Toleranz'), t('{n} m', { n: formatNumber(one.toleranz_m) })),
        fact(t('Erfasst'), [one.wer, formatDateTime(one.erfasst_am)].filter(Boolean).join(', ')),
        fact(t('Bemerkung'), one.bemerkung),
        ...(one.entschieden_am === null
          ? []
          : [
              fact(
                t('Entschieden'),
                [one.entschieden_von, formatDateTime(one.entschieden_am)].filter(Boolean).join(', '),
              ),
              ...(one.begruendung === null ? [] : [fact(t('Begründung'), one.begruendung)]),
            ]),
      ]}
    />
  )
}

/** What it does to its neighbours. */
function Meetings({ details, ebenen }: { details: BorderProposalDetails; ebenen: readonly string[] }) {
  const { nachbarn, luecken_ha, frei_ha } = details
  if (nachbarn.length === 0 && luecken_ha === 0 && frei_ha === 0)
    return <Notice tone="success">{t('Ohne Überlappung und ohne Lücke zu den Nachbarn.')}</Notice>
  return (
    <ul className="wald-grenzen">
      {nachbarn.map(({ id, l, s, ha }) => (
        <li key={id}>
          {t('überlappt {stand} um {ha}', { stand: addressText({ l, s }, ebenen), ha: haText(ha) })}
        </li>
      ))}
      {luecken_ha > 0 && <li>{t('schmale Lücken zu den Nachbarn: {ha}', { ha: haText(luecken_ha) })}</li>}
      {frei_ha > 0 && <li>{t('{ha} gehören danach zu keinem Bestand', { ha: haText(frei_ha) })}</li>}
    </ul>
  )
}
