// Exports the whole holding for GIS; spreadsheets come from the list's own export.
import { useState } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import type { FeExportFormat } from '#contract/bestand-import.ts'
import { ApiError } from '../../data/api-error.ts'
import { saveQFieldPackage, saveQgisProject } from '../../record/save-qgis.ts'
import { inFileName, saveFile } from '../../ui/export/save-file.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'
import { fetchGisFile } from './bestand-import.data.ts'

const ENDINGS: Readonly<Record<FeExportFormat, string>> = { gpkg: 'gpkg', shp: 'shp.zip' }

export function PlanExport({ forest }: { forest: Waldbestand }) {
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
  const save = (format: FeExportFormat) =>
    make(async () => {
      const owner = inFileName(forest.sHQ)
      saveFile(await fetchGisFile(forest.idHQ, format), `Waldbestand_${owner}_${today()}.${ENDINGS[format]}`)
    })
  const saveProject = () => make(() => saveQgisProject('betrieb', forest.idHQ, forest.sHQ))
  const savePackage = () => make(() => saveQFieldPackage('betrieb', forest.idHQ, forest.sHQ))
  return (
    <Menu
      label={t('Bestände als GIS-Datei')}
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
        { key: 'qgis', label: t('Projekt für QGIS, immer aktuell'), onSelect: () => void saveProject() },
        { key: 'qfield', label: t('Paket für QField, ohne Netz'), onSelect: () => void savePackage() },
      ]}
    />
  )
}
