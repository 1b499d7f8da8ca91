// /waldbestand/import: the stands of a holding from a file. Holding and import are in the address, so that
// returning or reloading continues where the work is.
import { useQueryClient } from '@tanstack/react-query'
import { type BestandImport, FE_MOST_BYTES } from '#contract/bestand-import.ts'
import { StoredFile } from '../../imports/StoredFile.tsx'
import { StoredImport, type StoredRun, useImportId } from '../../imports/StoredRun.tsx'
import { BETRIEB_FILTER } from '../../list/betrieb.data.ts'
import { ImportFrame } from '../../record/import/ImportFrame.tsx'
import { t } from '../../ui/text.ts'
import { dropPlan, fetchPlan, uploadPlan } from './bestand-import.data.ts'
import { BestandImportMapping, linkToBestand } from './BestandImportMapping.tsx'
import { Result } from './BestandImportPreview.tsx'
import './waldbestand.css'

export function BestandImportPage() {
  const id = useImportId()
  if (id === null) return <Start />
  return (
    <StoredImport
      key={id}
      queryKey={['waldbestand', 'import', id]}
      fetch={(signal) => fetchPlan(id, signal)}
      subtitle={t('Forsteinrichtung importieren')}
      ownerOf={({ idHQ }) => ({ fb: String(idHQ) })}
    >
      {(run) => <Run run={run} />}
    </StoredImport>
  )
}

const Start = () => (
  <StoredFile
    subtitle={t('Bestände und Baumarten einer Forsteinrichtung aus einer Datei übernehmen.')}
    owner={{
      parameter: 'fb',
      filter: BETRIEB_FILTER,
      label: t('Forstbetrieb'),
      missing: t('Bitte wählen Sie zuerst den Forstbetrieb.'),
    }}
    formats={t(
      'GeoPackage, GeoJSON, FlatGeobuf, GML, DXF oder ein ZIP mit Shapefile, GML oder FlatGeobuf und Tabellen (CSV), ' +
        'bis 256 MB',
    )}
    most={FE_MOST_BYTES}
    upload={uploadPlan}
  >
    <p>
      {t(
        'Die Bestände sind Flächen mit ihrer Adresse. Die Baumarten stehen in einer zweiten Tabelle ' +
          'mit derselben Adresse, eine Zeile für jede Baumart und Schicht; ohne sie werden nur die ' +
          'Bestände übernommen.',
      )}
    </p>
    <p>
      {t(
        'Die Datei ersetzt die ganze Forsteinrichtung des Betriebs, alles oder nichts: Ist eine Zeile ' +
          'fehlerhaft, bleibt sie, wie sie ist.',
      )}
    </p>
  </StoredFile>
)

function Run({ run: { file, keep, other } }: { run: StoredRun<BestandImport> }) {
  const client = useQueryClient()
  if (file.stand === 'fertig')
    return (
      <ImportFrame
        schritt="ergebnis"
        subtitle={`${file.sHQ}: ${file.dateiname}`}
        actions={linkToBestand(file.idHQ)}
      >
        <Result datei={file} onAgain={other} />
      </ImportFrame>
    )
  return (
    <BestandImportMapping
      datei={file}
      onDone={(made) => {
        keep(made)
        void client.invalidateQueries({ queryKey: ['waldbestand', String(made.idHQ)] })
        // Trees stand in stands, and the grant counts by them.
        void client.invalidateQueries({ queryKey: ['habitat', 'list'] })
      }}
      onOther={() => void dropPlan(file.id).then(other, other)}
    />
  )
}
