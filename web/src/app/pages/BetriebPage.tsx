// Betrieb: status of the installation, for the provider's admins.
import { useQuery } from '@tanstack/react-query'
import type { Backup, Betrieb, BetriebBaseMap } from '#contract/betrieb.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatBytes, formatDateTime } from '../../ui/format.ts'
import { Columns, Page, Stack } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { betriebQuery } from '../betrieb.data.ts'

// Of another feature, and not what most people open the page for.
const AllKeys = splitOff(
  async () => (await import('../../features/program-keys/ProgramKeys.tsx')).AllKeys,
  <Skeleton lines={3} />,
)

export function BetriebPage() {
  const { config } = useApplication()
  const { data, error, isPending, isFetching, refetch } = useQuery(betriebQuery)
  return (
    <Page
      subtitle={t('Datenbank, Sicherungen und Speicherplatz dieser Installation')}
      actions={
        <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {t('Aktualisieren')}
        </Button>
      }
    >
      {isPending ? (
        <Card>
          <Skeleton lines={6} />
        </Card>
      ) : data ? (
        <Shown betrieb={data} failed={error !== null} />
      ) : (
        <Card>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Card>
      )}
      <Card title={t('Schlüssel für Programme')}>
        <AllKeys dataApi={config.dataApi} />
      </Card>
    </Page>
  )
}

/** Age in hours from which a dump is outdated: dumps are made daily. */
const OLD_AFTER_H = 36
const LOW_BYTES = 2e9

function backupWarningsOf({ sicherung, sicherung_geplant }: Betrieb, now: number): string[] {
  if (!sicherung_geplant) return []
  if (!sicherung)
    return [
      t(
        'Es gibt noch keine Sicherung. Die erste entsteht beim nächsten geplanten Lauf; von Hand geht es mit ' +
          '„npm run dump“.',
      ),
    ]
  if (sicherung.ergebnis !== 'ok')
    return [
      t(
        'Die letzte Sicherung ist fehlgeschlagen. Bitte prüfen Sie Speicherplatz und Protokoll und sichern Sie ' +
          'mit „npm run dump“.',
      ),
    ]
  if (now - Date.parse(sicherung.zeit) <= OLD_AFTER_H * 3_600_000) return []
  return [
    t('Die letzte Sicherung ist vom {zeit}. Bitte prüfen Sie, warum seither keine entstanden ist.', {
      zeit: formatDateTime(sicherung.zeit),
    }),
  ]
}

export function warningsOf(betrieb: Betrieb, now = Date.now()): string[] {
  const { pruefung, frei_bytes, set_config_offen, grundkarte, kartendienste } = betrieb
  const warnings: string[] = backupWarningsOf(betrieb, now)
  if (pruefung && pruefung.ergebnis !== 'ok')
    warnings.push(
      t(
        'Die letzte Prüfung der Daten hat Fehler gefunden. Bitte melden Sie sich beim Support, bevor Sie ' +
          'weiterarbeiten.',
      ),
    )
  if (frei_bytes !== null && frei_bytes < LOW_BYTES)
    warnings.push(
      t('Es sind nur noch {frei} frei. Bitte schaffen Sie Platz.', { frei: formatBytes(frei_bytes) }),
    )
  if (grundkarte?.fehler) warnings.push(grundkarte.fehler)
  warnings.push(...kartendienste)
  if (set_config_offen)
    warnings.push(
      t(
        'Die Datenbankfunktion set_config steht noch allen offen. Bitte schließen Sie sie als Superuser, wie ' +
          'docs/operations.md es zeigt.',
      ),
    )
  return warnings
}

function Shown({ betrieb: state, failed }: { betrieb: Betrieb; failed: boolean }) {
  const { config } = useApplication()
  const warnings = warningsOf(state)
  return (
    <Stack>
      {failed && (
        <Notice tone="warning">
          {t('Die Angaben konnten eben nicht erneuert werden; gezeigt wird der letzte Stand.')}
        </Notice>
      )}
      {warnings.map((text) => (
        <Notice key={text} tone="warning">
          {text}
        </Notice>
      ))}
      {!failed && warnings.length === 0 && <Notice tone="success" title={t('Alles in Ordnung')} />}
      <Card title={t('Datenbank')}>
        <Facts
          facts={[
            fact(t('Maschine'), engineInWords(state.engine)),
            fact(t('Version'), state.version),
            fact(t('Stand des Schemas'), state.schema),
            fact(t('Betriebsart'), config.trial ? t('Probebetrieb') : t('Produktion')),
            fact(t('Server läuft seit'), <DateText value={state.gestartet} time />),
            fact(
              t('Freier Speicherplatz'),
              <span className="nums">{formatBytes(state.frei_bytes) || '–'}</span>,
            ),
            ...(state.grundkarte ? [fact(t('Hintergrundkarte'), baseMapInWords(state.grundkarte))] : []),
          ]}
        />
      </Card>
      <Columns>
        <Card
          title={t('Letzte Sicherung')}
          actions={state.sicherung && <Result ergebnis={state.sicherung.ergebnis} />}
        >
          {!state.sicherung_geplant && (
            <p className="soft">
              {t(
                'Der Server sichert nicht selbst (BACKUP=off). Ob die Datenbank auf anderem Weg gesichert wird, ' +
                  'prüfen Sie bitte dort.',
              )}
            </p>
          )}
          {state.sicherung ? (
            <BackupFacts sicherung={state.sicherung} />
          ) : (
            state.sicherung_geplant && <p className="soft">{t('Noch keine.')}</p>
          )}
        </Card>
        <Card
          title={t('Letzte Prüfung')}
          actions={state.pruefung && <Result ergebnis={state.pruefung.ergebnis} />}
        >
          {state.pruefung ? (
            <Facts
              facts={[
                fact(t('Zeit'), <DateText value={state.pruefung.zeit} time />),
                fact(t('Meldung'), state.pruefung.meldung),
              ]}
            />
          ) : (
            <p className="soft">{t('Noch keine.')}</p>
          )}
        </Card>
      </Columns>
    </Stack>
  )
}

const BackupFacts = ({ sicherung }: { sicherung: Backup }) => (
  <Facts
    facts={[
      fact(t('Zeit'), <DateText value={sicherung.zeit} time />),
      fact(t('Größe'), <span className="nums">{formatBytes(sicherung.groesse)}</span>),
      fact(t('Meldung'), sicherung.meldung),
    ]}
  />
)

const baseMapInWords = ({ datei, groesse }: BetriebBaseMap): string =>
  groesse === null ? datei : `${datei} (${formatBytes(groesse)})`

const engineInWords = (engine: string): string =>
  engine === 'embedded'
    ? t('Eingebaut (PGlite), Einzelplatzbetrieb')
    : engine === 'postgres'
      ? 'PostgreSQL'
      : engine

const Result = ({ ergebnis }: { ergebnis: 'ok' | 'fehler' }) =>
  ergebnis === 'ok' ? (
    <Badge tone="success">{t('In Ordnung')}</Badge>
  ) : (
    <Badge tone="danger">{t('Fehler')}</Badge>
  )
