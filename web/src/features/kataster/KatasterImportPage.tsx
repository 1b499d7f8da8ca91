// /kataster/import: the survey of a customer from a file. Customer and import stand in the address: whoever comes back, or loads the page anew, goes on where the work is.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type ImportSchicht,
  type ImportWerte,
  UPLOAD_MOST_BYTES,
  type VermessungImport,
  type Vorschau,
} from '#contract/vermessung-import.ts'
import type { Modus } from '#domain/vermessung/pruefen.ts'
import { ApiError } from '../../data/api-error.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Page, Stack } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import '../../record/import.css'
import './kataster.css'
import { KUNDE_FILTER } from './kataster.data.ts'
import { checkImport, dropImport, fetchImport, startImport, uploadFile } from './kataster-import.data.ts'
import { Ergebnis, Fortschritt } from './KatasterImportErgebnis.tsx'
import { VorschauCard } from './KatasterImportVorschau.tsx'
import { SchichtenCard } from './KatasterImportSchichten.tsx'

const POLL_MS = 1_000
const STEPS = ['datei', 'zuordnung', 'pruefung', 'ergebnis'] as const
type Step = (typeof STEPS)[number]

export function KatasterImportPage() {
  const { search } = useView()
  const id = /^\d{1,15}$/.test(search['import'] ?? '') ? Number(search['import']) : null
  return id === null ? <Datei /> : <Lauf key={id} id={id} />
}

function Rahmen({ step, subtitle, kunde, children }: { step: Step; subtitle: string; kunde?: number; children: React.ReactNode }) {
  const now = STEPS.indexOf(step)
  const head = useRef<HTMLOListElement>(null)
  // A long step ends at its button: the next one begins at its head.
  useEffect(() => {
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [step])
  const titles: Record<Step, string> = {
    datei: t('Datei wählen'),
    zuordnung: t('Spalten zuordnen'),
    pruefung: t('Prüfen'),
    ergebnis: t('Ergebnis'),
  }
  return (
    <Page
      subtitle={subtitle}
      actions={kunde === undefined ? undefined : <ButtonLink href={`/member-management/client/${kunde}`}>{t('Zum Kunden')}</ButtonLink>}
    >
      <Stack>
        <ol ref={head} className="import-steps" aria-label={t('Schritte des Imports')}>
          {STEPS.map((name, at) => (
            <li key={name} className={at < now ? 'import-step-done' : undefined} aria-current={name === step ? 'step' : undefined}>
              {titles[name]}
            </li>
          ))}
        </ol>
        {children}
      </Stack>
    </Page>
  )
}

const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : t('Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.')
const Missgeschick = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <Notice tone="danger" title={t('Das hat nicht geklappt')}>
      {text}
    </Notice>
  )

function Datei() {
  const { search, setSearch } = useView()
  const kunde = /^[1-9]\d{0,14}$/.test(search['kunde'] ?? '') ? search['kunde']! : ''
  const [error, setError] = useState<string | null>(null)
  const [upload, setUpload] = useState<AbortController | null>(null)
  async function take(file: File): Promise<void> {
    if (kunde === '') return setError(t('Bitte wählen Sie zuerst den Kunden.'))
    if (file.size > UPLOAD_MOST_BYTES) return setError(t('Die Datei ist größer als 512 MB. Bitte teilen Sie sie auf.'))
    if (file.size === 0) return setError(t('Die Datei ist leer.'))
    const control = new AbortController()
    setError(null)
    setUpload(control)
    try {
      const made = await uploadFile(kunde, file, control.signal)
      setSearch({ import: String(made.id) })
    } catch (fault) {
      if (!control.signal.aborted) setError(sentenceOf(fault))
    } finally {
      setUpload(null)
    }
  }
  return (
    <Rahmen step="datei" subtitle={t('Dränagen, Ausmündungen, Schächte, Schlucker und Einläufe aus einer Datei übernehmen.')}>
      <Missgeschick text={error} />
      <Card>
        <div className="kataster-wahl">
          <RecordField
            filter={KUNDE_FILTER}
            label={t('Kunde')}
            value={kunde}
            apply={(next) => setSearch({ kunde: next === '' ? undefined : next }, { replace: true })}
          />
        </div>
        <Ablage busy={upload !== null} onFile={(file) => void take(file)} onCancel={() => upload?.abort()} />
      </Card>
    </Rahmen>
  )
}
function Ablage({ busy, onFile, onCancel }: { busy: boolean; onFile: (file: File) => void; onCancel: () => void }) {
  return (
    <>
      <FileDrop
        label={t('Importdatei')}
        accept=".gpkg,.geojson,.json,.csv,.txt,.zip"
        disabled={busy}
        className="import-drop"
        onFiles={([file]) => file && onFile(file)}
      >
        {(choose) => (
          <>
            <Icon name="upload" size={32} />
            <p>
              <strong>{t('Datei hierher ziehen')}</strong>
            </p>
            <p className="soft">{t('GeoPackage, GeoJSON, CSV oder ein ZIP mit Shapefiles, bis 512 MB und 250.000 Objekte')}</p>
            <Button variant="primary" busy={busy} onClick={choose}>
              {busy ? t('Datei wird hochgeladen und gelesen …') : t('Datei wählen')}
            </Button>
            {busy && <Button onClick={onCancel}>{t('Abbrechen')}</Button>}
          </>
        )}
      </FileDrop>
      <div className="import-hints">
        <p>
          {t(
            'Zu einem Shapefile gehören mindestens die Dateien .shp und .dbf, besser auch .prj und .cpg; packen Sie sie zusammen in ein ZIP.',
          )}
        </p>
        <p>{t('Übernommen wird alles oder nichts: Ist ein Objekt fehlerhaft, bleibt der Bestand, wie er ist.')}</p>
      </div>
    </>
  )
}

function Lauf({ id }: { id: number }) {
  const { setSearch } = useView()
  const client = useQueryClient()
  const key = ['kataster', 'import', id]
  const lauf = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchImport(id, signal),
    refetchInterval: ({ state }) => (state.data?.stand === 'laeuft' ? POLL_MS : false),
  })
  const other = (kunde?: number): void => setSearch({ import: undefined, ...(kunde === undefined ? {} : { kunde: String(kunde) }) })
  if (lauf.data === undefined)
    return (
      <Rahmen step="zuordnung" subtitle={t('Kataster importieren')}>
        {lauf.isError ? (
          <ErrorState
            error={lauf.error}
            onRetry={() => void lauf.refetch()}
            action={<Button onClick={() => other()}>{t('Andere Datei')}</Button>}
          />
        ) : (
          <Skeleton lines={6} />
        )}
      </Rahmen>
    )
  const datei = lauf.data
  const keep = (made: VermessungImport): void => void client.setQueryData(key, made)
  async function drop(): Promise<void> {
    await dropImport(id).catch(() => undefined)
    if (datei.stand === 'laeuft') await lauf.refetch()
    else other(datei.client_id)
  }
  if (datei.stand === 'laeuft')
    return (
      <Rahmen step="ergebnis" subtitle={datei.dateiname} kunde={datei.client_id}>
        <Fortschritt datei={datei} onCancel={() => void drop()} />
      </Rahmen>
    )
  if (datei.stand === 'fertig')
    return (
      <Rahmen step="ergebnis" subtitle={datei.dateiname} kunde={datei.client_id}>
        <Ergebnis datei={datei} onAgain={() => other(datei.client_id)} />
      </Rahmen>
    )
  return <Vorbereitung datei={datei} onStarted={keep} onOther={() => void drop()} />
}

/** What the file proposes; what was chosen the last time stays. */
const firstWerte = ({ werte, schichten, modus }: VermessungImport): { modus: Modus; schichten: Partial<ImportSchicht>[] } => ({
  modus: modus ?? 'ersetzen',
  schichten: schichten.map(({ name, epsg, ort, vorschlag }) => {
    const before = werte?.schichten.find((one) => one.name === name)
    if (before !== undefined) return before
    return {
      name,
      ...(vorschlag.tabelle === null ? {} : { tabelle: vorschlag.tabelle }),
      ...(epsg === null ? {} : { epsg }),
      felder: vorschlag.felder,
      ...(ort === null ? {} : { ort }),
    }
  }),
})
const isWhole = (schicht: Partial<ImportSchicht>): schicht is ImportSchicht => schicht.tabelle !== undefined && schicht.epsg !== undefined

function Vorbereitung({
  datei,
  onStarted,
  onOther,
}: {
  datei: VermessungImport
  onStarted: (made: VermessungImport) => void
  onOther: () => void
}) {
  const [chosen, setChosen] = useState(() => firstWerte(datei))
  const [vorschau, setVorschau] = useState<Vorschau | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const used = chosen.schichten.filter(({ tabelle }) => tabelle !== undefined)
  const werte: ImportWerte = { modus: chosen.modus, schichten: used.filter(isWhole) }
  const complete = used.length > 0 && used.every(isWhole)
  async function act<T>(work: () => Promise<T>, done: (made: T) => void): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      done(await work())
    } catch (fault) {
      setError(sentenceOf(fault))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Rahmen step={vorschau === null ? 'zuordnung' : 'pruefung'} subtitle={datei.dateiname} kunde={datei.client_id}>
      <Missgeschick text={error} />
      {datei.bericht?.grund !== undefined && vorschau === null && <Ergebnis datei={datei} />}
      {vorschau === null ? (
        <SchichtenCard
          datei={datei}
          modus={chosen.modus}
          schichten={chosen.schichten}
          onModus={(modus) => setChosen({ ...chosen, modus })}
          onSchicht={(at, change) => setChosen({ ...chosen, schichten: chosen.schichten.map((one, nr) => (nr === at ? change : one)) })}
          complete={complete}
          busy={busy}
          onNext={() => void act(() => checkImport(datei.id, werte, new AbortController().signal), setVorschau)}
          onOther={onOther}
        />
      ) : (
        <VorschauCard
          vorschau={vorschau}
          modus={chosen.modus}
          busy={busy}
          onBack={() => setVorschau(null)}
          onStart={() => void act(() => startImport(datei.id, werte), onStarted)}
        />
      )}
    </Rahmen>
  )
}
