// /buchhaltung/rechnungen/wiederkehrend/serie/{id}: one recurring invoice: rhythm, template, runs, history.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Serie, SerieRun } from '#contract/serie.ts'
import { decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import { ApiError } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { HistoryList } from '../../../record/HistoryList.tsx'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, DateText, fact, Facts } from '../../../ui/Display.tsx'
import { Page } from '../../../ui/Page.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import '../buchhaltung.css'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { KundeLink } from '../KundeLink.tsx'
import { SerieActs } from './SerieActs.tsx'
import { serieHistory, serieQuery, useSerieAct } from './serie.data.ts'
import { dueText, rhythmText, SERIE_HISTORY, SERIE_TONES, serieStateText } from './serie-words.ts'

export function SeriePage() {
  const { params } = useView()
  const query = useQuery(serieQuery(params['id'] ?? ''))
  if (query.isPending)
    return (
      <Page>
        <Skeleton lines={10} />
      </Page>
    )
  if (query.isError)
    return (
      <Page>
        {query.error instanceof ApiError && query.error.code === 'not_found' ? (
          <EmptyState icon="file" title={t('Diese wiederkehrende Rechnung gibt es nicht')} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Page>
    )
  return <Record serie={query.data} />
}

function Record({ serie }: { serie: Serie }) {
  const { titel, kunde, laeufe, id } = serie
  const state = serie.naechste.length === 0 ? 'beendet' : serie.zustand
  return (
    <Page
      title={titel}
      record={titel}
      subtitle={
        <>
          {kunde} <Badge tone={SERIE_TONES[state]}>{serieStateText(state)}</Badge>
        </>
      }
      actions={<SerieActs serie={serie} />}
    >
      <div className="stack">
        <Card title={t('Rhythmus')}>
          <Facts facts={factsOf(serie)} />
        </Card>
        <Card title={t('Als Nächstes')}>
          {serie.naechste.length === 0 ? (
            <p>{t('Es folgt kein Zeitraum mehr.')}</p>
          ) : (
            <ul className="beleg-lines">
              {serie.naechste.map(({ nr, zeitraum, faellig }) => (
                <li key={nr}>
                  {zeitraum}, {t('fällig am')} <DateText value={faellig} />
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Template serie={serie} />
        {laeufe.length > 0 && <Runs serie={serie} />}
        <HistoryList query={serieHistory(String(id))} words={() => SERIE_HISTORY} />
      </div>
    </Page>
  )
}

const factsOf = ({ client_id, kunde, monate, beginn, ende, anzahl, faellig_am, netto, brutto }: Serie) => [
  fact(t('Kunde'), <KundeLink client_id={client_id} kunde={kunde} />),
  fact(t('Rhythmus'), rhythmText(monate)),
  fact(t('Erster Tag'), <DateText value={beginn} />),
  fact(t('Fällig'), dueText(faellig_am)),
  fact(
    t('Endet'),
    ende !== null ? (
      <DateText value={ende} />
    ) : anzahl === null ? (
      t('bis auf Weiteres')
    ) : anzahl === 1 ? (
      t('nach 1 Zeitraum')
    ) : (
      t('nach {n} Zeiträumen', { n: anzahl })
    ),
  ),
  fact(t('Netto'), formatEuro(netto)),
  fact(t('Brutto'), formatEuro(brutto)),
]

function Template({ serie: { positionen, kopf } }: { serie: Serie }) {
  return (
    <Card title={t('Vorlage')} flush>
      <SmallTable label={t('Positionen der Vorlage')}>
        <HeadRow titles={[t('Bezeichnung'), t('Menge'), t('Einzelpreis')]} />
        <tbody>
          {positionen.map(({ art, bez, erl, anzahl, einheit, ep }, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={at}>
              <td className="buch-text">
                {bez}
                {erl !== '' && <div className="soft">{erl}</div>}
              </td>
              <td className="cell-end nums">
                {art !== 'ueberschrift' && `${formatGerman(decimal(anzahl))} ${einheit}`.trim()}
              </td>
              <td className="cell-end nums">
                {art !== 'ueberschrift' && `${formatGerman(decimal(ep), { atLeast: 2 })}\u00A0€`}
              </td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
      {[kopf.anschreiben, kopf.zuerl].filter(Boolean).map((text) => (
        <p key={text} className="buch-foot buch-text">
          {text}
        </p>
      ))}
    </Card>
  )
}

function Runs({ serie: { id, laeufe } }: { serie: Serie }) {
  const [busy, setBusy] = useState<number | null>(null)
  const takeBack = useSerieAct((nr: number) => rpc('a_unskip_serie', { serie_id: id, nr }))
  const again = (nr: number) => {
    setBusy(nr)
    takeBack.mutate(nr, {
      onSuccess: () => toast.success(t('Der Zeitraum ist wieder fällig.')),
      onError: (error) => toast.error(messageOf(error)),
      onSettled: () => setBusy(null),
    })
  }
  return (
    <Card title={t('Bisher')} flush>
      <SmallTable label={t('Bisherige Zeiträume')}>
        <HeadRow titles={[t('Zeitraum'), t('Ergebnis'), t('Brutto')]} left={[0, 1]} />
        <tbody>
          {laeufe.map((run) => (
            <tr key={run.nr}>
              <th scope="row">{run.zeitraum}</th>
              <td className="buch-text">
                <Outcome run={run} />{' '}
                {run.art === 'ausgelassen' && (
                  <Button
                    size="small"
                    busy={busy === run.nr}
                    aria-label={t('{zeitraum}: doch abrechnen', { zeitraum: run.zeitraum })}
                    onClick={() => again(run.nr)}
                  >
                    {t('Doch abrechnen')}
                  </Button>
                )}
              </td>
              <td className="cell-end nums">{run.brutto !== null && formatEuro(run.brutto)}</td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </Card>
  )
}

function Outcome({ run: { art, grund, rechnung_id, nummer } }: { run: SerieRun }) {
  if (art === 'ausgelassen') return t('ausgelassen: {grund}', { grund })
  if (rechnung_id === null) return <span className="soft">{t('Rechnung nicht mehr vorhanden')}</span>
  return <a href={RECHNUNG_KIND.record(rechnung_id)}>{nummer ?? t('Entwurf')}</a>
}
