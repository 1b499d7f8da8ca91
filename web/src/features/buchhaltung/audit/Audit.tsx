// Whether the books are sound, in words, and the archive that an auditor takes along.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { JournalCheck } from '#contract/buchhaltung.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, Facts, fact, Notice } from '../../../ui/Display.tsx'
import { saveFile } from '../../../ui/export/save-file.ts'
import { formatDateTime, formatNumber } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { Anchors } from './Anchors.tsx'
import { FilesCheck } from './FilesCheck.tsx'
import { dayRangeOf, yearOf, Period } from './Period.tsx'
import { sealFaultText } from './seal-words.ts'

const CHECK_TIMEOUT_MS = 130_000
const EXPORT_TIMEOUT_MS = 10 * 60_000

export function Audit() {
  return (
    <div className="stack">
      <Chain />
      <Anchors />
      <FilesCheck />
      <AuditArchive />
    </div>
  )
}

function Chain() {
  const query = useQuery({
    queryKey: ['pruefung', 'kette'],
    queryFn: ({ signal }) => rpc('a_check_protokoll', {}, { signal, timeoutMs: CHECK_TIMEOUT_MS }),
    staleTime: 60_000,
    retry: false,
  })
  const found = Array.isArray(query.data) ? (query.data[0] as JournalCheck | undefined) : query.data
  return (
    <Card
      title={t('Unversehrtheit der Bücher')}
      actions={
        <Button size="small" icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {t('Neu prüfen')}
        </Button>
      }
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : found === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <div className="stack" aria-live="polite">
          {found.ok ? (
            <Notice tone="success" title={t('Die Bücher sind unversehrt')}>
              {t(
                '{zeilen} Zeilen des Protokolls und {siegel} Siegel hängen lückenlos zusammen. Belege, ' +
                  'Positionen, Zahlungen, Bankumsätze, Mahnungen und Versand sind, wie sie gebucht wurden.',
                {
                  zeilen: formatNumber(found.zeilen),
                  siegel: formatNumber(found.siegel),
                },
              )}
            </Notice>
          ) : (
            <Notice tone="danger" title={t('Die Bücher sind verändert worden')}>
              {found.was !== null && <p>{faultText(found)}</p>}
              {found.befunde.length > 0 && (
                <ul>
                  {found.befunde.slice(0, 20).map((fault) => (
                    <li key={`${fault.was} ${fault.nr} ${fault.tabelle} ${fault.schluessel}`}>
                      {sealFaultText(fault)}
                    </li>
                  ))}
                </ul>
              )}
              {found.befunde.length > 20 && (
                <p>{t('Und {n} weitere.', { n: formatNumber(found.befunde.length - 20) })}</p>
              )}
              <p>
                {t('Bitte ändern Sie nichts, sichern Sie die Datenbank, und wenden Sie sich an den Support.')}
              </p>
              {belegLink(found)}
            </Notice>
          )}
          <Facts
            facts={[
              fact(t('Geprüft'), formatDateTime(new Date(query.dataUpdatedAt).toISOString())),
              fact(t('Zeilen des Protokolls'), formatNumber(found.zeilen)),
              fact(t('Ausgestellte Belege'), formatNumber(found.belege)),
              fact(t('Siegel'), formatNumber(found.siegel)),
              fact(
                t('Prüfsumme des letzten Siegels'),
                <code className="buch-text">{found.siegel_kopf}</code>,
              ),
            ]}
          />
        </div>
      )}
    </Card>
  )
}

/** Describes the first fault. */
function faultText({ was, nr }: JournalCheck): string {
  const values = { nr: formatNumber(nr) }
  switch (was) {
    case 'luecke':
      return t('Vor Zeile {nr} des Protokolls fehlt mindestens eine Zeile.', values)
    case 'kette':
      return t(
        'Zeile {nr} des Protokolls schließt nicht an die Zeile davor an: Eine von beiden wurde ausgetauscht.',
        values,
      )
    case 'inhalt':
      return t('Der Inhalt der Zeile {nr} des Protokolls wurde nachträglich geändert.', values)
    case 'beleg':
      return t(
        'Ein ausgestellter Beleg entspricht nicht mehr dem, was beim Ausstellen in Zeile {nr} festgehalten wurde.',
        values,
      )
    case 'ohne_eintrag':
      return t('Ein Beleg ist als ausgestellt gespeichert, aber das Protokoll weiß nichts davon.')
    case 'fehlt':
      return t('Ein Beleg, den Zeile {nr} des Protokolls als ausgestellt nennt, ist nicht mehr da.', values)
    case null:
      return ''
  }
}
function belegLink({ was, gegenstand, gegenstand_id }: JournalCheck) {
  if (gegenstand_id === null || was === 'fehlt' || (gegenstand !== 'rechnung' && gegenstand !== 'angebot'))
    return null
  const path =
    gegenstand === 'rechnung' ? '/buchhaltung/rechnungen/rechnung' : '/buchhaltung/angebote/angebot'
  return <a href={`${path}/${gegenstand_id}`}>{t('Beleg öffnen')}</a>
}

function AuditArchive() {
  const client = useQueryClient()
  const [period, setPeriod] = useState(() => yearOf(today(), 0))
  const days = dayRangeOf(period)
  const load = useMutation({
    mutationFn: async ({ von, bis }: { von: string; bis: string }) =>
      saveFile(
        await fetchBlob(`pruefung/${von}_${bis}.zip`, undefined, { timeoutMs: EXPORT_TIMEOUT_MS }),
        `Pruefung_${von}_${bis}.zip`,
      ),
    onSuccess: () => toast.success(t('Das Archiv ist heruntergeladen und im Protokoll vermerkt.')),
    onError: (error) => toast.error(messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['protokoll'] }),
  })
  return (
    <Card title={t('Daten für die Betriebsprüfung')}>
      <div className="stack">
        <p>
          {t(
            'Ein ZIP-Archiv mit allen Rechnungen, Positionen, Steuern, Angeboten, Zahlungen, Kontoumsätzen und ' +
              'dem Protokoll als Tabellen (GoBD, Z3), ihrer Beschreibung für Prüfsoftware und den ' +
              'gespeicherten PDF- und XML-Dateien, unverändert. Mit den Siegeln darin lässt sich das ' +
              'Archiv auch ohne Forstkontor prüfen; PRUEFEN.txt beschreibt, wie.',
          )}
        </p>
        <Period value={period} today={today()} onChange={setPeriod} />
        <div>
          <Button
            variant="primary"
            icon="download"
            busy={load.isPending}
            disabled={days === null}
            onClick={() => days !== null && load.mutate(days)}
          >
            {load.isPending ? t('Archiv wird zusammengestellt …') : t('Archiv herunterladen')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
