// Anchors: what was noted of the books outside the database, compared with the books.
import { useQuery } from '@tanstack/react-query'
import type { AnchorFinding, AnchorReport } from '#contract/anchors.ts'
import { callGeneral } from '../../../data/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, Facts, fact, Notice } from '../../../ui/Display.tsx'
import { formatDateTime, formatNumber } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'

/** A large file takes a while: every line is a signature. */
const TIMEOUT_MS = 130_000
const SHOWN = 20

export function Anchors() {
  const query = useQuery({
    queryKey: ['pruefung', 'anker'],
    queryFn: ({ signal }) =>
      callGeneral<AnchorReport>('GET', 'pruefung/anker', { quiet: true, signal, timeoutMs: TIMEOUT_MS }),
    staleTime: 60_000,
    retry: false,
  })
  return (
    <Card
      title={t('Anker außerhalb der Datenbank')}
      actions={
        <Button size="small" icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {t('Neu vergleichen')}
        </Button>
      }
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <Report report={query.data} />
      )}
    </Card>
  )
}

function Report({ report }: { report: AnchorReport }) {
  const {
    anker,
    letzter,
    fremde,
    schluessel,
    sicherungen,
    zeitstempel,
    letzter_zeitstempel: stamped,
    zeitstempel_fremd: unknown,
  } = report
  return (
    <div className="stack" aria-live="polite">
      <Result report={report} />
      {report.wiederhergestellt.map(({ zeit, nr, anker: given }) => (
        <Notice key={zeit} tone="info" title={t('Aus einer Sicherung wiederhergestellt')}>
          {t(
            'Am {zeit} wurde eine Sicherung eingespielt, die mit Siegel {nr} endet. Spätere Anker, die seitdem ' +
              'nicht mehr gelten: {n}.',
            { zeit: formatDateTime(zeit), nr: formatNumber(nr), n: formatNumber(given) },
          )}
        </Notice>
      ))}
      {fremde > 0 && (
        <Notice
          tone="warning"
          title={
            fremde === 1
              ? t('1 Anker trägt einen anderen Schlüssel')
              : t('{n} Anker tragen einen anderen Schlüssel', { n: formatNumber(fremde) })
          }
        >
          {t(
            'Solange nicht klar ist, wann und warum der Schlüssel gewechselt wurde, haben sie keine Beweiskraft.',
          )}
        </Notice>
      )}
      {unknown > 0 && (
        <Notice
          tone="warning"
          title={
            unknown === 1
              ? t('1 Zeitstempel lässt sich mit den hinterlegten Zertifikaten nicht prüfen')
              : t('{n} Zeitstempel lassen sich mit den hinterlegten Zertifikaten nicht prüfen', {
                  n: formatNumber(unknown),
                })
          }
        >
          {t(
            'Ohne das Zertifikat, mit dem der Dienst sie ausgestellt hat (Einstellung TIMESTAMP_CERTIFICATES), ' +
              'haben sie keine Beweiskraft.',
          )}
        </Notice>
      )}
      <Facts
        facts={[
          fact(t('Signierte Anker'), formatNumber(anker)),
          fact(
            t('Letzter Anker'),
            letzter &&
              t('Siegel {nr}, {zeit}', { nr: formatNumber(letzter.nr), zeit: formatDateTime(letzter.zeit) }),
          ),
          fact(t('Namen von Sicherungen'), formatNumber(sicherungen)),
          fact(t('Zeitstempel eines Dritten'), formatNumber(zeitstempel)),
          fact(t('Letzter Zeitstempel'), stamped && formatDateTime(stamped)),
          fact(t('Abdruck des Schlüssels'), <code className="buch-text">{schluessel}</code>),
        ]}
      />
      <p className="soft">
        {t(
          'Nach jedem Beleg wird das letzte Siegel signiert und an eine Datei außerhalb der Datenbank ' +
            'angehängt. Wer die Bücher abschneidet oder neu schreibt, kann diese Anker nicht nachmachen.',
        )}
      </p>
    </div>
  )
}

function Result({ report: { ok, letzter, befunde } }: { report: AnchorReport }) {
  if (!ok)
    return (
      <Notice tone="danger" title={t('Die Bücher passen nicht zu ihren Ankern')}>
        <ul>
          {befunde.slice(0, SHOWN).map((fault) => (
            <li key={`${fault.was} ${fault.quelle} ${fault.stelle} ${fault.nr}`}>{findingText(fault)}</li>
          ))}
        </ul>
        {befunde.length > SHOWN && (
          <p>{t('Und {n} weitere.', { n: formatNumber(befunde.length - SHOWN) })}</p>
        )}
        <p>{t('Bitte ändern Sie nichts, sichern Sie die Datenbank, und wenden Sie sich an den Support.')}</p>
      </Notice>
    )
  if (letzter === null)
    return <p>{t('Es gibt noch keinen Anker. Der erste entsteht mit dem nächsten ausgestellten Beleg.')}</p>
  return (
    <Notice tone="success" title={t('Die Bücher passen zu ihren Ankern')}>
      {t('Was bis Siegel {nr} gebucht war, ist noch da und unverändert verkettet.', {
        nr: formatNumber(letzter.nr),
      })}
    </Notice>
  )
}

function findingText({ was, quelle, stelle, nr, zeit }: AnchorFinding): string {
  const where =
    quelle === 'datei'
      ? t('Anker in Zeile {stelle}', { stelle })
      : quelle === 'sicherung'
        ? t('Sicherung {stelle}', { stelle })
        : t('Zeitstempel')
  const values = {
    where,
    nr: formatNumber(nr ?? 0),
    zeit: zeit === null ? '' : formatDateTime(zeit),
  }
  switch (was) {
    case 'abgeschnitten':
      return t('{where}: Siegel {nr} vom {zeit} ist nicht mehr da.', values)
    case 'ersetzt':
      return t('{where}: Siegel {nr} ist nicht mehr das vom {zeit}.', values)
    case 'signatur':
      return t('{where}: Die Signatur gilt nicht. Die Zeile wurde geändert oder nachgemacht.', values)
    case 'zeile':
      return t('{where}: nicht lesbar.', values)
    case 'zeitstempel':
      return t('{where} vom {zeit}: gehört nicht zu Siegel {nr}.', values)
  }
}
