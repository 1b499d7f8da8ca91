// /habitatbaeume/feldsicherung: reads a file that was saved in the field mode, shows what of it the server has
// already, and sends the rest in the name of the person who reads it.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { oneOf } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, fact, Facts, Notice, type Tone } from '../../ui/Display.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { Actions, Page, Stack } from '../../ui/Page.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { type AnyCapture, isSurvey } from './fieldwork-db.ts'
import { type Reading, readInto, type RescueOutcome, sendReading } from './rescue-run.ts'
import type { RescueState } from './rescue-read.ts'
import type { Progress } from './sync.ts'
import { RefusedRow } from './RefusedRow.tsx'
import { entryName } from './survey-words.ts'
import '../../record/import/import.css'

const faultText = (error: unknown): string =>
  error instanceof ToldError
    ? error.message
    : t('Die Datei ließ sich nicht einlesen. Bitte laden Sie die Seite neu und versuchen Sie es noch einmal.')

export function RescuePage() {
  const [reading, setReading] = useState<Reading | null>(null)
  const [outcome, setOutcome] = useState<RescueOutcome | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const stop = useRef(new AbortController())
  useEffect(() => {
    stop.current = new AbortController()
    return () => stop.current.abort()
  }, [])
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    setFault(null)
    try {
      await work()
    } catch (error) {
      if (!stop.current.signal.aborted) setFault(faultText(error))
    }
    setBusy(false)
    setProgress(null)
  }
  const read = (file: File) =>
    act(async () => {
      setReading(null)
      setReading(await readInto(file))
    })
  const send = (from: Reading) =>
    act(async () => setOutcome(await sendReading(from, stop.current.signal, setProgress)))
  return (
    <Page title={t('Feldsicherung einlesen')}>
      <Stack>
        {outcome === null && (
          <Chooser busy={busy} again={reading !== null} onFile={(file) => void read(file)} />
        )}
        {fault !== null && <Refusal title={t('Nicht eingelesen')}>{fault}</Refusal>}
        {reading !== null && outcome === null && (
          <Preview reading={reading} busy={busy} progress={progress} onSend={() => void send(reading)} />
        )}
        {outcome !== null && <Outcome outcome={outcome} sent={reading?.content.erfassungen ?? []} />}
      </Stack>
    </Page>
  )
}

interface ChooserProps {
  busy: boolean
  again: boolean
  onFile: (file: File) => void
}
const Chooser = ({ busy, again, onFile }: ChooserProps) => (
  <Card title={again ? t('Andere Datei') : t('Gesicherte Datei')}>
    <Stack>
      <p>
        {t(
          'Lässt sich auf einem Gerät nichts mehr übertragen, sichert der Feldmodus unter „Übertragen“ alles, was ' +
            'wartet, als ZIP-Datei. Hier lesen Sie sie ein. Nichts wird doppelt angelegt, auch wenn das Gerät einen ' +
            'Teil schon übertragen hat.',
        )}
      </p>
      <FileDrop
        label={t('Gesicherte Datei')}
        accept=".zip"
        disabled={busy}
        className="import-drop"
        onFiles={([file]) => file && onFile(file)}
      >
        {(choose) => (
          <Button variant={again ? 'secondary' : 'primary'} icon="upload" busy={busy} onClick={choose}>
            {t('Datei wählen')}
          </Button>
        )}
      </FileDrop>
    </Stack>
  </Card>
)

const STATES: Readonly<Record<RescueState, readonly [tone: Tone, text: () => string]>> = {
  neu: ['success', () => t('wird angelegt')],
  da: ['neutral', () => t('schon da')],
  aenderung: ['info', () => t('wird geändert')],
  inzwischen: ['warning', () => t('inzwischen geändert')],
  fehlt: ['danger', () => t('nicht mehr da')],
}
/** Objects of a survey are entries: a file may hold both. */
const countText = (captures: number, photos: number, all: readonly AnyCapture[]): string =>
  [
    all.some(({ tabelle }) => tabelle !== undefined)
      ? captures === 1
        ? t('1 Eintrag')
        : t('{n} Einträge', { n: formatNumber(captures) })
      : captures === 1
        ? t('1 Baum')
        : t('{n} Bäume', { n: formatNumber(captures) }),
    photos === 1 ? t('1 Foto') : t('{n} Fotos', { n: formatNumber(photos) }),
  ].join(', ')

interface PreviewProps {
  reading: Reading
  busy: boolean
  progress: Progress | null
  onSend: () => void
}
function Preview({ reading, busy, progress, onSend }: PreviewProps) {
  const { content, states, storedPhotos } = reading
  const { erfassungen, bilder, madeAt } = content
  const nothing = erfassungen.length + bilder.length === 0
  return (
    <Card title={t('Das steht in der Datei')}>
      <Stack>
        <Facts
          facts={[
            fact(t('Gesichert am'), madeAt === null ? null : formatDateTime(madeAt)),
            fact(t('Inhalt'), countText(erfassungen.length, bilder.length, erfassungen)),
            fact(t('Davon schon beim Server'), countText(countOf(states, 'da'), storedPhotos, erfassungen)),
          ]}
        />
        <Doubts content={content} />
        {erfassungen.length > 0 && <CaptureTable reading={reading} />}
        {busy && progress !== null && (
          <p aria-live="polite">
            {progress.art === 'baeume'
              ? t('Erfassungen werden übertragen: {n} von {all}', { n: progress.fertig, all: progress.total })
              : t('Fotos werden übertragen: {n} von {all}', { n: progress.fertig, all: progress.total })}
          </p>
        )}
        <Actions>
          <Button variant="primary" busy={busy} disabled={nothing} onClick={onSend}>
            {t('Einlesen')}
          </Button>
        </Actions>
      </Stack>
    </Card>
  )
}
const countOf = (states: ReadonlyMap<string, RescueState>, wanted: RescueState): number =>
  [...states.values()].filter((state) => state === wanted).length

function Doubts({ content: { entwuerfe, unreadable, fehlend } }: Pick<Reading, 'content'>) {
  return (
    <>
      {entwuerfe > 0 && (
        <Notice tone="info">
          {entwuerfe === 1
            ? t(
                '1 begonnene Eingabe wurde nie gespeichert und wird nicht eingelesen. Sie steht in daten.json.',
              )
            : t(
                '{n} begonnene Eingaben wurden nie gespeichert und werden nicht eingelesen. Sie stehen in daten.json.',
                { n: formatNumber(entwuerfe) },
              )}
        </Notice>
      )}
      {unreadable > 0 && (
        <Notice tone="warning">
          {unreadable === 1
            ? t('1 Eintrag der Datei ist beschädigt und wird nicht eingelesen.')
            : t('{n} Einträge der Datei sind beschädigt und werden nicht eingelesen.', {
                n: formatNumber(unreadable),
              })}
        </Notice>
      )}
      {fehlend.length > 0 && (
        <Notice tone="warning" title={t('Fotos fehlen in der Datei oder sind unvollständig')}>
          {fehlend.join(', ')}
        </Notice>
      )}
    </>
  )
}

const SHOWN = 200
function CaptureTable({ reading: { content, states } }: Pick<PreviewProps, 'reading'>) {
  const shown = content.erfassungen.slice(0, SHOWN)
  const ids = [...new Set(shown.map(({ idHQ }) => idHQ))]
  const { data: holdings = [] } = useQuery({
    queryKey: ['feldsicherung-betriebe', ids],
    queryFn: ({ signal }) =>
      selectRows<{ idHQ: number; sHQ: string }>('hq', {
        select: ['idHQ', 'sHQ'],
        filters: [oneOf('idHQ', ids)],
        signal,
      }),
  })
  const holding = new Map(holdings.map(({ idHQ, sHQ }) => [idHQ, sHQ]))
  const photos = Map.groupBy(content.bilder, ({ baum }) => baum)
  return (
    <>
      <DataTable<AnyCapture>
        caption={t('Einträge der Datei')}
        rows={shown}
        rowKey={({ kennung }) => kennung}
        columns={[
          { key: 'baum', title: t('Eintrag'), cell: entryName },
          {
            key: 'hq',
            title: t('Forstbetrieb'),
            cell: (one) =>
              isSurvey(one) ? t('Kunde {n}', { n: -one.idHQ }) : (holding.get(one.idHQ) ?? String(one.idHQ)),
          },
          { key: 'seit', title: t('Erfasst'), cell: ({ seit }) => formatDateTime(seit) },
          {
            key: 'fotos',
            title: t('Fotos'),
            cell: ({ kennung }) => formatNumber(photos.get(kennung)?.length ?? 0),
          },
          {
            key: 'stand',
            title: t('Beim Server'),
            cell: ({ kennung }) => {
              const [tone, text] = STATES[states.get(kennung) ?? 'neu']
              return <Badge tone={tone}>{text()}</Badge>
            },
          },
        ]}
      />
      {content.erfassungen.length > SHOWN && (
        <p className="soft">
          {t('und {n} weitere', { n: formatNumber(content.erfassungen.length - SHOWN) })}
        </p>
      )}
    </>
  )
}

interface OutcomeProps {
  outcome: RescueOutcome
  sent: readonly AnyCapture[]
}
function Outcome({ outcome: { summary, captures, photos }, sent }: OutcomeProps) {
  const left = captures.length + photos.length
  return (
    <Card title={t('Eingelesen')}>
      <Stack>
        <Notice tone={left === 0 ? 'success' : 'warning'}>
          {t('{what} sind jetzt beim Server oder waren es schon.', {
            what: countText(summary.baeume, summary.bilder, sent),
          })}
        </Notice>
        {left > 0 && (
          <>
            <h3>{t('Nicht übernommen')}</h3>
            <ul>
              {captures.map((capture) => (
                <RefusedRow key={capture.kennung} capture={capture} name={entryName(capture)} />
              ))}
              {photos.map(({ kennung, name, fehler }) => (
                <li key={kennung}>
                  <strong>{name}</strong>
                  <div className="soft">{fehler ?? t('Der Server hat keinen Eintrag zu diesem Foto.')}</div>
                </li>
              ))}
            </ul>
          </>
        )}
        <Actions>
          <ButtonLink variant="primary" href="/habitatbaeume/index">
            {t('Zu den Habitatbäumen')}
          </ButtonLink>
        </Actions>
      </Stack>
    </Card>
  )
}
