// /kataster/import: a customer's survey from a file. Customer and import are in the address, so that
// returning or reloading continues where the work is.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ImportLayer,
  type ImportValues,
  UPLOAD_MOST_BYTES,
  type VermessungImport,
  type Preview,
} from '#contract/vermessung-import.ts'
import type { ImportMode } from '#domain/vermessung/check.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { ImportFileDrop } from '../../record/import/ImportFileDrop.tsx'
import { ImportFrame, useAction } from '../../record/import/ImportFrame.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './kataster.css'
import { KUNDE_FILTER } from './kataster.data.ts'
import { checkImport, dropImport, fetchImport, startImport, uploadFile } from './kataster-import.data.ts'
import { Result, Progress } from './KatasterImportResult.tsx'
import { PreviewCard } from './KatasterImportPreview.tsx'
import { LayersCard } from './KatasterImportLayers.tsx'

const POLL_MS = 1_000

export function KatasterImportPage() {
  const { search } = useView()
  const id = /^\d{1,15}$/.test(search['import'] ?? '') ? Number(search['import']) : null
  return id === null ? <StoredFile /> : <Run key={id} id={id} />
}

const linkTo = (kunde: number) => (
  <ButtonLink href={`/member-management/client/${kunde}`}>{t('Zum Kunden')}</ButtonLink>
)

function StoredFile() {
  const { search, setSearch } = useView()
  const kunde = /^[1-9]\d{0,14}$/.test(search['kunde'] ?? '') ? search['kunde']! : ''
  const { busy, fehler, act, refuse, cancel } = useAction()
  return (
    <ImportFrame
      schritt="datei"
      subtitle={t('Dränagen, Ausmündungen, Schächte, Schlucker und Einläufe aus einer Datei übernehmen.')}
      fehler={fehler}
    >
      <Card>
        <div className="kataster-wahl">
          <RecordField
            filter={KUNDE_FILTER}
            label={t('Kunde')}
            value={kunde}
            apply={(next) => setSearch({ kunde: next === '' ? undefined : next }, { replace: true })}
          />
        </div>
        <ImportFileDrop
          formate={t('GeoPackage, GeoJSON, CSV oder ein ZIP mit Shapefiles, bis 512 MB und 250.000 Objekte')}
          accept=".gpkg,.geojson,.json,.csv,.txt,.zip"
          most={UPLOAD_MOST_BYTES}
          busy={busy}
          onFile={(file) => {
            if (kunde === '') refuse(t('Bitte wählen Sie zuerst den Kunden.'))
            else
              void act(
                (signal) => uploadFile(kunde, file, signal),
                ({ id }) => setSearch({ import: String(id) }),
              )
          }}
          onRefused={refuse}
          onCancel={cancel}
        >
          <p>
            {t(
              'Zu einem Shapefile gehören mindestens die Dateien .shp und .dbf, besser auch .prj und .cpg; packen Sie sie zusammen in ein ZIP.',
            )}
          </p>
          <p>
            {t(
              'Übernommen wird alles oder nichts: Ist ein Objekt fehlerhaft, bleibt der Bestand, wie er ist.',
            )}
          </p>
        </ImportFileDrop>
      </Card>
    </ImportFrame>
  )
}

function Run({ id }: { id: number }) {
  const { setSearch } = useView()
  const client = useQueryClient()
  const key = ['kataster', 'import', id]
  const run = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchImport(id, signal),
    refetchInterval: ({ state }) => (state.data?.stand === 'laeuft' ? POLL_MS : false),
  })
  const other = (kunde?: number): void =>
    setSearch({ import: undefined, ...(kunde === undefined ? {} : { kunde: String(kunde) }) })
  if (run.data === undefined)
    return (
      <ImportFrame schritt="zuordnung" subtitle={t('Kataster importieren')}>
        {run.isError ? (
          <ErrorState
            error={run.error}
            onRetry={() => void run.refetch()}
            action={<Button onClick={() => other()}>{t('Andere Datei')}</Button>}
          />
        ) : (
          <Skeleton lines={6} />
        )}
      </ImportFrame>
    )
  const datei = run.data
  const keep = (made: VermessungImport): void => void client.setQueryData(key, made)
  async function drop(): Promise<void> {
    await dropImport(id).catch(() => undefined)
    if (datei.stand === 'laeuft') await run.refetch()
    else other(datei.client_id)
  }
  if (datei.stand === 'laeuft')
    return (
      <ImportFrame schritt="ergebnis" subtitle={datei.dateiname} actions={linkTo(datei.client_id)}>
        <Progress datei={datei} onCancel={() => void drop()} />
      </ImportFrame>
    )
  if (datei.stand === 'fertig')
    return (
      <ImportFrame schritt="ergebnis" subtitle={datei.dateiname} actions={linkTo(datei.client_id)}>
        <Result datei={datei} onAgain={() => other(datei.client_id)} />
      </ImportFrame>
    )
  return <Preparation datei={datei} onStarted={keep} onOther={() => void drop()} />
}

/** Suggestions from the file; earlier choices take precedence. */
const firstValues = ({
  werte,
  schichten,
  modus,
}: VermessungImport): { modus: ImportMode; schichten: Partial<ImportLayer>[] } => ({
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
const isWhole = (schicht: Partial<ImportLayer>): schicht is ImportLayer =>
  schicht.tabelle !== undefined && schicht.epsg !== undefined

function Preparation({
  datei,
  onStarted,
  onOther,
}: {
  datei: VermessungImport
  onStarted: (made: VermessungImport) => void
  onOther: () => void
}) {
  const [chosen, setChosen] = useState(() => firstValues(datei))
  const [vorschau, setPreview] = useState<Preview | null>(null)
  const { busy, fehler, act } = useAction()
  const used = chosen.schichten.filter(({ tabelle }) => tabelle !== undefined)
  const werte: ImportValues = { modus: chosen.modus, schichten: used.filter(isWhole) }
  const complete = used.length > 0 && used.every(isWhole)
  return (
    <ImportFrame
      schritt={vorschau === null ? 'zuordnung' : 'pruefung'}
      subtitle={datei.dateiname}
      actions={linkTo(datei.client_id)}
      fehler={fehler}
    >
      {datei.bericht?.grund !== undefined && vorschau === null && <Result datei={datei} />}
      {vorschau === null ? (
        <LayersCard
          datei={datei}
          modus={chosen.modus}
          schichten={chosen.schichten}
          onMode={(modus) => setChosen({ ...chosen, modus })}
          onLayer={(at, change) =>
            setChosen({ ...chosen, schichten: chosen.schichten.map((one, nr) => (nr === at ? change : one)) })
          }
          complete={complete}
          busy={busy}
          onNext={() => void act((signal) => checkImport(datei.id, werte, signal), setPreview)}
          onOther={onOther}
        />
      ) : (
        <PreviewCard
          vorschau={vorschau}
          modus={chosen.modus}
          busy={busy}
          onBack={() => setPreview(null)}
          onStart={() => void act(() => startImport(datei.id, werte), onStarted)}
        />
      )}
    </ImportFrame>
  )
}
