// Exports the whole holding as a GeoPackage; spreadsheets come from the list's own export.
import { useState } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import { ApiError } from '../../data/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'
import { fetchGpkg } from './bestand-import.data.ts'

export function GpkgExport({ forest }: { forest: Waldbestand }) {
  const [busy, setBusy] = useState(false)
  async function save(): Promise<void> {
    if (busy) return
    setBusy(true)
    try {
      saveFile(
        await fetchGpkg(forest.idHQ),
        `Waldbestand_${forest.sHQ.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}_${today()}.gpkg`,
      )
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
  return (
    <Button icon="download" busy={busy} onClick={() => void save()}>
      {t('GeoPackage')}
    </Button>
  )
}
