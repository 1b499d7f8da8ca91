// What is due, before its drafts are made: period, amount, what the check before issue will say, what differs from
// the last run. Single ones are left out of the press, or their period is skipped for good.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { SerieDueRow } from '#contract/serie.ts'
import { draftFaults } from '#domain/beleg-draft-check.ts'
import { decimal, formatEuro, isEqual, sum } from '#domain/geld.ts'
import { serieChanges } from '#domain/serie.ts'
import { rpc } from '../../../data/rpc.ts'
import { said } from '../../../data/said.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Card, Notice } from '../../../ui/Display.tsx'
import { Checkbox } from '../../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useView } from '../../../ui/view.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { KundeLink } from '../KundeLink.tsx'
import './serie.css'
import { dueQuery, seriePath, useSerieAct } from './serie.data.ts'
import { changeText } from './serie-words.ts'

const SkipDialog = splitOff(async () => (await import('./SkipDialog.tsx')).SkipDialog)
const keyOf = ({ serie_id, nr }: SerieDueRow): string => `${serie_id}/${nr}`

export function DuePreview() {
  const query = useQuery(dueQuery)
  if (query.isPending)
    return (
      <Card>
        <Skeleton lines={6} />
      </Card>
    )
  if (query.isError)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  const { zeilen, anzahl } = query.data
  if (zeilen.length === 0)
    return (
      <Card>
        <EmptyState icon="file" title={t('Heute ist nichts fällig')}>
          {t('Sobald ein Zeitraum fällig ist, steht er hier und auf der Startseite.')}
        </EmptyState>
      </Card>
    )
  return (
    <div className="stack">
      {anzahl > zeilen.length && (
        <Notice>
          {t('Gezeigt werden die {n} ältesten von {alle} fälligen Zeiträumen.', {
            n: formatNumber(zeilen.length),
            alle: formatNumber(anzahl),
          })}
        </Notice>
      )}
      <Preview rows={zeilen} />
    </div>
  )
}

function useMake(rows: readonly SerieDueRow[]) {
  const view = useView()
  const make = useSerieAct((chosen: readonly SerieDueRow[]) =>
    rpc('a_add_serie_rechnungen', {
      auswahl: chosen.map(({ serie_id, nr, version }) => ({ serie_id, nr, version })),
    }),
  )
  const onSuccess = (ids: readonly number[]) => {
    toast.success(
      ids.length === 1 ? t('1 Entwurf ist angelegt.') : t('{n} Entwürfe sind angelegt.', { n: ids.length }),
    )
    view.go(ids.length === 1 ? RECHNUNG_KIND.draft(ids[0]!) : `${RECHNUNG_KIND.list}?stand=entwurf`)
  }
  return {
    busy: make.isPending,
    make: () => make.mutate(rows, { onSuccess, onError: (error) => toast.error(messageOf(error)) }),
  }
}

function Preview({ rows }: { rows: readonly SerieDueRow[] }) {
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(new Set())
  const [skipped, setSkipped] = useState<SerieDueRow | null>(null)
  const chosen = rows.filter((row) => !row.gesperrt && !omitted.has(keyOf(row)))
  const { busy, make } = useMake(chosen)
  const earliest = useQuery({
    queryKey: ['rechnung', 'kleinstes-datum'],
    queryFn: ({ signal }) => rpc('a_get_min_rn_datum_for_new_invoice', {}, { signal }),
    staleTime: 0,
  }).data
  const turn = (row: SerieDueRow) =>
    setOmitted((before) => {
      const after = new Set(before)
      if (!after.delete(keyOf(row))) after.add(keyOf(row))
      return after
    })
  const gross = sum(chosen.map(({ beleg }) => decimal(beleg.summen.brutto)))
  return (
    <Card title={t('Vorschau: noch ist nichts angelegt')}>
      <ul className="serie-due">
        {rows.map((row) => (
          <DueRow
            key={keyOf(row)}
            row={row}
            earliest={earliest ?? null}
            chosen={chosen.includes(row)}
            onTurn={() => turn(row)}
            onSkip={() => setSkipped(row)}
          />
        ))}
      </ul>
      <div className="serie-foot">
        <span>
          {t('{n} von {alle} gewählt, zusammen {brutto} brutto', {
            n: chosen.length,
            alle: rows.length,
            brutto: formatEuro(gross),
          })}
        </span>
        <Button variant="primary" busy={busy} disabled={chosen.length === 0} onClick={make}>
          {chosen.length === 1 ? t('1 Entwurf anlegen') : t('{n} Entwürfe anlegen', { n: chosen.length })}
        </Button>
      </div>
      {skipped && <SkipDialog row={skipped} onClose={() => setSkipped(null)} />}
    </Card>
  )
}

interface RowProps {
  row: SerieDueRow
  /** The day of the last issued invoice. */
  earliest: string | null
  chosen: boolean
  onTurn: () => void
  onSkip: () => void
}

function DueRow({ row, earliest, chosen, onTurn, onSkip }: RowProps) {
  const { titel, zeitraum, faellig, beleg, serie_id } = row
  const name = t('{titel}, {zeitraum}', { titel, zeitraum })
  return (
    <li>
      <div>
        <Checkbox label={name} checked={chosen} disabled={row.gesperrt} onChange={onTurn} />
      </div>
      <div className="serie-amount nums">
        <strong>{formatEuro(beleg.summen.brutto)}</strong>
        <span className="soft">{t('netto {betrag}', { betrag: formatEuro(beleg.summen.netto) })}</span>
      </div>
      <div className="serie-more">
        <span>
          <KundeLink client_id={row.client_id} kunde={row.kunde} />{' '}
          <span className="soft">
            {t('· Leistung {von} bis {bis} · fällig seit {tag}', {
              von: formatDate(row.von),
              bis: formatDate(row.bis),
              tag: formatDate(faellig),
            })}
          </span>
        </span>
        <Remarks row={row} earliest={earliest} />
        <div className="serie-acts">
          <Button size="small" aria-label={t('Zeitraum auslassen …: {name}', { name })} onClick={onSkip}>
            {t('Zeitraum auslassen …')}
          </Button>
          <a href={seriePath(serie_id)}>{t('Vorlage ansehen')}</a>
        </div>
      </div>
    </li>
  )
}

/** What somebody should know before the draft is made, the faults first. */
function Remarks({ row, earliest }: { row: SerieDueRow; earliest: string | null }) {
  const faults = useMemo(() => draftFaults(row.beleg, { today: today(), earliest }), [row.beleg, earliest])
  const { vorher } = row
  const changes = vorher === null ? [] : serieChanges(vorher.stand, row.stand)
  const differs =
    vorher !== null && vorher.netto !== null && !isEqual(decimal(vorher.netto), decimal(vorher.stand.netto))
  return (
    <ul>
      {row.gesperrt && (
        <li>
          <Badge tone="danger">{t('Kunde gesperrt')}</Badge>{' '}
          {t('Es lässt sich nichts mehr berechnen. Bitte beenden Sie die wiederkehrende Rechnung.')}
        </li>
      )}
      {faults.map(({ feld, code, text, severity }) => (
        <li key={`${feld} ${code}`}>
          <Badge tone={severity === 'fehler' ? 'danger' : 'warning'}>
            {severity === 'fehler' ? t('Fehler') : t('Hinweis')}
          </Badge>{' '}
          {said(text)}
        </li>
      ))}
      {row.gekuerzt && (
        <li>
          <Badge tone="warning">{t('Hinweis')}</Badge>{' '}
          {t('Der letzte Zeitraum ist kürzer als die anderen. Bitte prüfen Sie die Menge.')}
        </li>
      )}
      {changes.map((change) => (
        <li key={changeText(change)}>
          <Badge tone="info">{t('Geändert')}</Badge> {changeText(change)}
        </li>
      ))}
      {differs && (
        <li>
          <Badge tone="info">{t('Abweichung')}</Badge>{' '}
          {t('Für {zeitraum} waren es am Ende {betrag} netto statt {vorlage}.', {
            zeitraum: vorher.zeitraum,
            betrag: formatEuro(vorher.netto ?? '0'),
            vorlage: formatEuro(vorher.stand.netto),
          })}
        </li>
      )}
    </ul>
  )
}
