// Exports all trees of the holding for GIS; spreadsheets come from the list's own export.
import { useState } from 'react'
import { habitatFilePaths, type HabitatExportFormat } from '#contract/habitat-file.ts'
import { ApiError } from '../../data/api-error.ts'
import { fetchBlob } from '../../data/blob.ts'
import { pathOf } from '../../karte/path.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { saveQFieldPackage, saveQgisProject } from '../../record/save-qgis.ts'
import { inFileName, saveFile } from '../../ui/export/save-file.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'

export function GisExport({ betrieb }: { betrieb: Betrieb }) {
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
  const save = (format: HabitatExportFormat) =>
    make(async () => {
      const blob = await fetchBlob(pathOf(habitatFilePaths.export(betrieb.idHQ, format)), undefined, {
        timeoutMs: 180_000,
      })
      const owner = inFileName(betrieb.sHQ)
      saveFile(blob, `Habitatbaeume_${owner}_${today()}.${format === 'shp' ? 'shp.zip' : format}`)
    })
  const saveProject = () => make(() => saveQgisProject('betrieb', betrieb.idHQ, betrieb.sHQ))
  const savePackage = () => make(() => saveQFieldPackage('betrieb', betrieb.idHQ, betrieb.sHQ))
  return (
    <Menu
      label={t('Alle Bäume als GIS-Datei')}
      align="end"
      trigger={
        <>
          <Icon name="download" />
          {busy ? t('Wird erstellt …') : t('GIS-Datei')}
        </>
      }
      items={[
        { key: 'gpkg', label: t('GeoPackage'), onSelect: () => void save('gpkg') },
        { key: 'shp', label: t('Shapefile (ZIP)'), onSelect: () => void save('shp') },
        { key: 'geojson', label: t('GeoJSON'), onSelect: () => void save('geojson') },
        { key: 'qgis', label: t('Projekt für QGIS, immer aktuell'), onSelect: () => void saveProject() },
        { key: 'qfield', label: t('Paket für QField, ohne Netz'), onSelect: () => void savePackage() },
      ]}
    />
  )
}
