// Export of a customer's survey: the menu of formats, for every page that shows a survey.
import { useState } from 'react'
import { type ExportFormat, vermessungPaths } from '#contract/vermessung-import.ts'
import { ApiError } from '../../data/api-error.ts'
import { fetchBlob } from '../../data/blob.ts'
import { saveQFieldPackage, saveQgisProject } from '../save-qgis.ts'
import { inFileName, saveFile } from '../../ui/export/save-file.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'

/** Hundreds of thousands of objects take long. */
const TIMEOUT_MS = 180_000
const ENDINGS: Readonly<Record<ExportFormat, string>> = {
  gpkg: 'gpkg',
  geojson: 'geojson',
  csv: 'zip',
  shp: 'shp.zip',
}

export function KatasterExport({ client_id, name, epsg }: { client_id: number; name: string; epsg: number }) {
  const [busy, setBusy] = useState(false)
  async function make(file: () => Promise<void>): Promise<void> {
    if (busy) return
    setBusy(true)
    try {
      await file()
    } catch (error) {
      toast.error(
        error instanceof ApiError
          ? error.message
          : t('Die Datei konnte nicht erstellt werden. Bitte versuchen Sie es noch einmal.'),
      )
    } finally {
      setBusy(false)
    }
  }
  const save = (format: ExportFormat, system?: number) =>
    make(async () => {
      const file = await fetchBlob(vermessungPaths.export(client_id, format, system).slice(1), undefined, {
        timeoutMs: TIMEOUT_MS,
      })
      saveFile(file, `Kataster_${inFileName(name)}_${today()}.${ENDINGS[format]}`)
    })
  const saveProject = () => make(() => saveQgisProject('kunde', client_id, name))
  const savePackage = () => make(() => saveQFieldPackage('kunde', client_id, name))
  return (
    <Menu
      label={t('Kataster exportieren')}
      align="end"
      trigger={
        <>
          <Icon name="download" />
          {busy ? t('Datei wird erstellt …') : t('Exportieren')}
        </>
      }
      items={[
        {
          key: 'gpkg',
          label: t('GeoPackage (QGIS, ArcGIS)'),
          onSelect: () => void save('gpkg'),
          disabled: busy,
        },
        {
          key: 'shp',
          label: t('Shapefiles (ZIP)'),
          onSelect: () => void save('shp'),
          disabled: busy,
        },
        {
          key: 'geojson',
          label: t('GeoJSON (WGS 84)'),
          onSelect: () => void save('geojson'),
          disabled: busy,
        },
        {
          key: 'geojson-plan',
          label: t('GeoJSON (EPSG {epsg})', { epsg }),
          onSelect: () => void save('geojson', epsg),
          disabled: busy,
        },
        {
          key: 'csv',
          label: t('Tabellen für Excel (CSV im ZIP)'),
          onSelect: () => void save('csv'),
          disabled: busy,
        },
        {
          key: 'qgis',
          label: t('Projekt für QGIS, immer aktuell'),
          onSelect: () => void saveProject(),
          disabled: busy,
        },
        {
          key: 'qfield',
          label: t('Paket für QField, ohne Netz'),
          onSelect: () => void savePackage(),
          disabled: busy,
        },
      ]}
    />
  )
}
