// /kataster/import: a customer's survey from a file. Customer and import are in the address, so that
// returning or reloading continues where the work is.
import { useState } from 'react'
import {
  type ImportLayer,
  type ImportValues,
  UPLOAD_MOST_BYTES,
  type VermessungImport,
  type Preview,
} from '#contract/vermessung-import.ts'
import type { ImportMode } from '#domain/vermessung/check.ts'
import { StoredFile } from '../../imports/StoredFile.tsx'
import { StoredImport, type StoredRun, useImportId } from '../../imports/StoredRun.tsx'
import { suggestedLayer } from '../../imports/suggested-layer.ts'
import { ImportFrame, useAction } from '../../record/import/ImportFrame.tsx'
import { missingPlace, missingSystem } from '../../record/import/missing-choices.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import './kataster.css'
import { KUNDE_FILTER } from './kataster.data.ts'
import { checkImport, dropImport, fetchImport, startImport, uploadFile } from './kataster-import.data.ts'
import { Result, Progress } from './KatasterImportResult.tsx'
import { PreviewCard } from './KatasterImportPreview.tsx'
import { LayersCard } from './KatasterImportLayers.tsx'

export function KatasterImportPage() {
  const id = useImportId()
  if (id === null) return <Start />
  return (
    <StoredImport
      key={id}
      queryKey={['kataster', 'import', id]}
      fetch={(signal) => fetchImport(id, signal)}
      subtitle={t('Kataster importieren')}
      isRunning={({ stand }) => stand === 'laeuft'}
      ownerOf={({ client_id }) => ({ kunde: String(client_id) })}
    >
      {(run) => <Run run={run} />}
    </StoredImport>
  )
}

const linkTo = (kunde: number) => (
  <ButtonLink href={`/member-management/client/${kunde}`}>{t('Zum Kunden')}</ButtonLink>
)

const Start = () => (
  <StoredFile
    subtitle={t('Dränagen, Ausmündungen, Schächte, Schlucker und Einläufe aus einer Datei übernehmen.')}
    owner={{
      parameter: 'kunde',
      filter: KUNDE_FILTER,
      label: t('Kunde'),
      missing: t('Bitte wählen Sie zuerst den Kunden.'),
    }}
    formats={t(
      'GeoPackage, GeoJSON, FlatGeobuf, GML, DXF, CSV oder ein ZIP mit Shapefiles, GML oder FlatGeobuf, bis 512 MB ' +
        'und 250.000 Objekte',
    )}
    most={UPLOAD_MOST_BYTES}
    upload={uploadFile}
  >
    <p>
      {t(
        'Zu einem Shapefile gehören mindestens die Dateien .shp und .dbf, besser auch .prj und .cpg; ' +
          'packen Sie sie zusammen in ein ZIP.',
      )}
    </p>
    <p>
      {t('Übernommen wird alles oder nichts: Ist ein Objekt fehlerhaft, bleibt der Bestand, wie er ist.')}
    </p>
    <p>
      {t('Eine ZIP-Datei aus dem Feldmodus?')}{' '}
      <a href="/habitatbaeume/feldsicherung">{t('Feldsicherung einlesen')}</a>
    </p>
  </StoredFile>
)

function Run({ run: { file, refetch, keep, other } }: { run: StoredRun<VermessungImport> }) {
  async function drop(): Promise<void> {
    await dropImport(file.id).catch(() => undefined)
    if (file.stand === 'laeuft') await refetch()
    else other()
  }
  if (file.stand !== 'laeuft' && file.stand !== 'fertig')
    return <Preparation datei={file} onStarted={keep} onOther={() => void drop()} />
  return (
    <ImportFrame schritt="ergebnis" subtitle={file.dateiname} actions={linkTo(file.client_id)}>
      {file.stand === 'laeuft' ? (
        <Progress datei={file} onCancel={() => void drop()} />
      ) : (
        <Result datei={file} onAgain={other} />
      )}
    </ImportFrame>
  )
}

/** Suggestions from the file; earlier choices take precedence. */
const firstValues = ({
  werte,
  schichten,
  modus,
}: VermessungImport): { modus: ImportMode; schichten: Partial<ImportLayer>[] } => ({
  modus: modus ?? 'ersetzen',
  schichten: schichten.map((layer) => {
    const before = werte?.schichten.find(({ name }) => name === layer.name)
    return before ?? { ...suggestedLayer(layer), ...(layer.ort !== null && { ort: layer.ort }) }
  }),
})
/** A coordinate system chosen for one layer is that of all that name none: a drawing uses a single one. */
const withLayer = (
  layers: readonly Partial<ImportLayer>[],
  at: number,
  change: Partial<ImportLayer>,
): Partial<ImportLayer>[] =>
  layers.map((one, nr) => {
    if (nr === at) return change
    return one.epsg === undefined && change.epsg !== undefined ? { ...one, epsg: change.epsg } : one
  })
const missingOf = (used: readonly Partial<ImportLayer>[]): string[] =>
  used.length === 0
    ? [t('was mindestens eine Schicht enthält')]
    : used.flatMap(({ name = '', epsg, ort }) => [...missingSystem(name, epsg), ...missingPlace(name, ort)])
const isWhole = (layer: Partial<ImportLayer>): layer is ImportLayer =>
  layer.tabelle !== undefined && layer.epsg !== undefined

function Preparation({
  datei,
  onStarted,
  onOther,
}: {
  datei: VermessungImport
  onStarted: (made: VermessungImport) => void
  onOther: () => void
}) {
  const [suggested] = useState(() => firstValues(datei))
  const [chosen, setChosen] = useState(suggested)
  useUnsavedChanges(chosen !== suggested)
  const [preview, setPreview] = useState<Preview | null>(null)
  const { busy, fehler, act } = useAction()
  const used = chosen.schichten.filter(({ tabelle }) => tabelle !== undefined)
  const values: ImportValues = { modus: chosen.modus, schichten: used.filter(isWhole) }
  return (
    <ImportFrame
      schritt={preview === null ? 'zuordnung' : 'pruefung'}
      subtitle={datei.dateiname}
      actions={linkTo(datei.client_id)}
      fehler={fehler}
    >
      {datei.bericht?.grund !== undefined && preview === null && <Result datei={datei} />}
      {preview === null ? (
        <LayersCard
          datei={datei}
          modus={chosen.modus}
          schichten={chosen.schichten}
          onMode={(mode) => setChosen({ ...chosen, modus: mode })}
          onLayer={(at, change) =>
            setChosen({ ...chosen, schichten: withLayer(chosen.schichten, at, change) })
          }
          missing={missingOf(used)}
          busy={busy}
          onNext={() => void act((signal) => checkImport(datei.id, values, signal), setPreview)}
          onOther={onOther}
        />
      ) : (
        <PreviewCard
          vorschau={preview}
          modus={chosen.modus}
          busy={busy}
          onBack={() => setPreview(null)}
          onStart={(placeConfirmed, moveConfirmed) => {
            const confirmed = {
              ...values,
              ort_bestaetigt: placeConfirmed,
              verschiebung_bestaetigt: moveConfirmed,
            }
            void act(() => startImport(datei.id, confirmed), onStarted)
          }}
        />
      )}
    </ImportFrame>
  )
}
