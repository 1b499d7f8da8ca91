// A batch of bookings for the tax adviser: period, obstacles, and the file.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DatevLate } from '#contract/datev.ts'
import type { DatevFault } from '#domain/datev/job.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Card, DateText, Notice } from '../../../ui/Display.tsx'
import { Checkbox } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { monthName } from '../../../ui/month-name.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { said } from '../../../data/said.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import {
  type BatchParts,
  type DatevExport,
  exportsQuery,
  useDatevExport,
  useDatevPictures,
  lateQuery,
  type Preview,
  previewQuery,
} from './datev.data.ts'
import { lastMonth, type DayRange, dayRangeOf, monthOf, Period } from './Period.tsx'
import { ReceivedNotes } from './ReceivedNotes.tsx'

const SHOWN = 20

export function Datev() {
  const [period, setPeriod] = useState(() => lastMonth(today()))
  const [parts, setParts] = useState<BatchParts>({
    zahlungen: false,
    supply: true,
    eingang: false,
    again: false,
    all: false,
  })
  const days = dayRangeOf(period)
  const earlier = useQuery(exportsQuery)
  const overlapping =
    days === null ? [] : (earlier.data ?? []).filter(({ von, bis }) => von <= days.bis && bis >= days.von)
  return (
    <div className="stack">
      <Card
        title={t('Buchungsstapel für DATEV')}
        actions={
          <ButtonLink size="small" href="/buchhaltung/einstellungen">
            {t('Konten einstellen')}
          </ButtonLink>
        }
      >
        <div className="stack">
          <Period value={period} today={today()} onChange={setPeriod} />
          <Checkbox
            label={t('Zahlungen und Skonti mitgeben')}
            hint={t('Nur, wenn die Steuerberatung die Kontoauszüge nicht selbst bucht.')}
            checked={parts.zahlungen}
            onChange={({ target }) => setParts({ ...parts, zahlungen: target.checked })}
          />
          <Checkbox
            label={t('Eingangsrechnungen mitgeben')}
            hint={t(
              'Freigegebene Rechnungen mit Aufwandskonto, Kreditor und Steuerschlüssel. Ihre Originale gibt es ' +
                'danach als Belegbilder; Zahlungen an Lieferanten bucht die Steuerberatung.',
            )}
            checked={parts.eingang}
            onChange={({ target }) => setParts({ ...parts, eingang: target.checked })}
          />
          <Checkbox
            label={t('Leistungsdatum mitgeben')}
            hint={t('Bitte mit der Steuerberatung absprechen: DATEV ordnet die Steuer danach dem Monat zu.')}
            checked={parts.supply}
            onChange={({ target }) => setParts({ ...parts, supply: target.checked })}
          />
          {overlapping.length > 0 && (
            <Notice tone="warning" title={t('Aus diesem Zeitraum wurde schon exportiert')}>
              <ul className="beleg-lines">
                {overlapping.slice(0, 3).map((one) => (
                  <li key={one.zeit}>
                    {t('{von} – {bis}, am {zeit} von {wer}', {
                      von: formatDate(one.von),
                      bis: formatDate(one.bis),
                      zeit: formatDate(one.zeit),
                      wer: one.wer ?? t('ohne Namen'),
                    })}
                  </li>
                ))}
              </ul>
              {t('Dieser Stapel enthält nur, was noch in keinem war.')}
            </Notice>
          )}
          {days !== null && (
            <Batch tage={days} parts={parts} onParts={(more) => setParts({ ...parts, ...more })} />
          )}
        </div>
      </Card>
      <Late
        onChoose={({ monat, zahlungen }) => {
          setPeriod(monthOf(monat))
          if (zahlungen > 0) setParts({ ...parts, zahlungen: true })
        }}
      />
      <Card title={t('Bisherige Exporte')}>
        {earlier.isPending ? (
          <Skeleton lines={3} />
        ) : earlier.isError ? (
          <ErrorState error={earlier.error} onRetry={() => void earlier.refetch()} />
        ) : earlier.data.length === 0 ? (
          <EmptyState icon="file" title={t('Noch nichts exportiert')} />
        ) : (
          <Exports rows={earlier.data} />
        )}
      </Card>
    </div>
  )
}

function Batch({
  tage,
  parts,
  onParts,
}: {
  tage: DayRange
  parts: BatchParts
  onParts: (more: Partial<BatchParts>) => void
}) {
  const { zahlungen } = parts
  const query = useQuery({ ...previewQuery(tage, parts), placeholderData: keepPreviousData })
  const exporting = useDatevExport()
  if (query.isPending) return <Skeleton lines={3} />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { batch, entwuerfe, stand } = query.data
  const errors = batch.faults.filter(({ severity }) => severity === 'fehler')
  const left = batch.faults.filter(({ severity }) => severity === 'ausgelassen')
  const hints = batch.faults.filter(({ severity }) => severity === 'hinweis')
  return (
    <>
      {entwuerfe.length > 0 && (
        <Notice
          tone="warning"
          title={
            entwuerfe.length === 1
              ? t('1 Entwurf liegt in diesem Zeitraum')
              : t('{n} Entwürfe liegen in diesem Zeitraum', { n: entwuerfe.length })
          }
        >
          {t('Sie sind nicht ausgestellt und fehlen deshalb im Stapel.')}{' '}
          {entwuerfe.slice(0, 3).map(({ rechnung_id, kunde, rn_datum }) => (
            <a
              key={rechnung_id}
              className="buch-link"
              href={`/buchhaltung/rechnungen/rechnung/update/${rechnung_id}`}
            >
              {t('{kunde}, {tag}', { kunde, tag: formatDate(rn_datum) })}
            </a>
          ))}
        </Notice>
      )}
      {parts.eingang && (
        <ReceivedNotes preview={query.data} again={parts.again} onAgain={(again) => onParts({ again })} />
      )}
      {query.data.before > 0 && (
        <Checkbox
          label={t('Rechnungen und Zahlungen noch einmal mitgeben: {n}', { n: query.data.before })}
          hint={t('Sie standen schon in einem Stapel und würden doppelt gebucht.')}
          checked={parts.all}
          onChange={({ target }) => onParts({ all: target.checked })}
        />
      )}
      {errors.length > 0 &&
        (query.data.before > 0 && errors.every(({ code }) => code === 'leer') ? (
          <Notice tone="info" title={t('Seit dem letzten Stapel ist nichts dazugekommen')}>
            {t('Alle Buchungen dieses Zeitraums standen schon in einem Stapel.')}
          </Notice>
        ) : (
          <Faults tone="danger" title={t('So kann der Stapel nicht geschrieben werden')} faults={errors} />
        ))}
      {left.length > 0 && <Faults tone="warning" title={t('Diese Belege fehlen im Stapel')} faults={left} />}
      {hints.length > 0 && <Faults tone="info" title={t('Zu beachten')} faults={hints} />}
      {errors.length === 0 && (
        <div className="buch-bar">
          <p aria-live="polite">
            {query.isPlaceholderData ? t('Wird zusammengestellt …') : summary(query.data, zahlungen)}
            {parts.eingang &&
              !query.isPlaceholderData &&
              ` · ${t('Eingangsrechnungen: {n}', { n: batch.eingang.length })}`}
          </p>
          <Button
            variant="primary"
            icon="download"
            busy={exporting.isPending || query.isPlaceholderData}
            onClick={() =>
              exporting.mutate(
                { tage, batch, zahlungen, stand },
                {
                  onSuccess: () =>
                    toast.success(
                      t('{datei} ist geschrieben und im Protokoll vermerkt.', { datei: batch.dateiname }),
                    ),
                  onError: (error) => toast.error(messageOf(error)),
                },
              )
            }
          >
            {t('Stapel herunterladen')}
          </Button>
        </div>
      )}
    </>
  )
}
/** What was entered for days whose batch had been handed out already. */
function Late({ onChoose }: { onChoose: (month: DatevLate) => void }) {
  const late = useQuery(lateQuery)
  if (late.data === undefined || late.data.length === 0) return null
  return (
    <Card title={t('Nach dem Export dazugekommen')}>
      <p>
        {t(
          'Diese Rechnungen und Zahlungen wurden eingetragen, als der Stapel ihres Monats schon geschrieben war. ' +
            'Bitte schreiben Sie für sie einen Nachtrag.',
        )}
      </p>
      <ul className="beleg-log" aria-label={t('Nach dem Export dazugekommen')}>
        {late.data.map((month) => (
          <li key={month.monat}>
            <strong>{monthName(`${month.monat}-01`, 'long')}</strong>
            <span>
              {t('Rechnungen: {n}, Zahlungen: {m}', {
                n: month.rechnungen,
                // One of an advance that no batch has at all is missing in both.
                m: Math.max(month.zahlungen, month.abschlaege),
              })}
            </span>
            <Button size="small" onClick={() => onChoose(month)}>
              {t('Zeitraum wählen')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const summary = ({ batch: { zeilen }, rechnungen, zahlungen }: Preview, withPayments: boolean): string =>
  withPayments
    ? t('Rechnungen und Stornos: {rechnungen}, Zahlungen: {zahlungen}, Buchungszeilen: {zeilen}', {
        rechnungen,
        zahlungen,
        zeilen,
      })
    : t('Rechnungen und Stornos: {rechnungen}, Buchungszeilen: {zeilen}', { rechnungen, zeilen })

function Faults({
  tone,
  title,
  faults,
}: {
  tone: 'danger' | 'warning' | 'info'
  title: string
  faults: readonly DatevFault[]
}) {
  return (
    <Notice tone={tone} title={title}>
      <ul className="beleg-lines">
        {faults.slice(0, SHOWN).map(({ nummer, code, text }) => (
          <li key={`${nummer} ${code} ${text}`}>{said(text)}</li>
        ))}
      </ul>
      {faults.length > SHOWN && t('… und {n} weitere.', { n: faults.length - SHOWN })}
    </Notice>
  )
}

function Exports({ rows }: { rows: readonly DatevExport[] }) {
  const pictures = useDatevPictures()
  return (
    <ul className="beleg-log" aria-label={t('Bisherige Exporte')}>
      {rows.slice(0, SHOWN).map((one) => (
        <li key={one.zeit}>
          <DateText value={one.zeit} time />
          <strong>
            {formatDate(one.von)} – {formatDate(one.bis)}
          </strong>
          <span>
            {one.zahlungen
              ? t('Zeilen: {n}, mit Zahlungen', { n: one.zeilen })
              : t('Zeilen: {n}', { n: one.zeilen })}
            {one.ausgelassen.length > 0 &&
              ` · ${t('ohne {nummern}', { nummern: one.ausgelassen.join(', ') })}`}
          </span>
          <span className="soft">{one.wer ?? t('ohne Namen')}</span>
          {one.eingang > 0 && (
            <Button
              size="small"
              icon="download"
              busy={pictures.isPending && pictures.variables === one.nr}
              onClick={() => pictures.mutate(one.nr, { onError: (error) => toast.error(messageOf(error)) })}
            >
              {t('Belegbilder (ZIP)')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
