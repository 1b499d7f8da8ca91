// Toolbar of the georeferencer: undo, files and earlier versions, saving.
import type { Evaluation } from '#domain/georef/evaluation.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { saveReport, saveReportPdf, savePointsFile, saveWorldFile } from './outputs.ts'
import { actionText } from './georef-words.ts'
import type { SessionHandle } from './use-georef-session.ts'

interface Props {
  session: Pick<SessionHandle, 'present' | 'past' | 'future'>
  evaluation: Evaluation
  kartenName: string
  scanName: string
  /** Size of the scan in pixels. */
  breite: number
  hoehe: number
  dirty: boolean
  saving: boolean
  /** The commands for GDAL; null while no transformation fits. */
  bash: () => string | null
  onUndo: () => void
  onRedo: () => void
  onDialog: (art: 'einlesen' | 'staende') => void
  onSave: () => void
}

export function GeorefActions({
  session: { present: stand, past, future },
  evaluation,
  kartenName,
  scanName,
  breite,
  hoehe,
  dirty,
  saving,
  bash,
  onUndo,
  onRedo,
  onDialog,
  onSave,
}: Props) {
  const last = past.at(-1)
  const next = future.at(-1)
  const affin = evaluation.affin !== null
  const empty = stand.punkte.length === 0
  async function copyCommands() {
    const commands = bash()
    if (commands === null) return
    try {
      await navigator.clipboard.writeText(commands)
      toast.success(t('Die Befehle sind in der Zwischenablage.'))
    } catch {
      toast.error(t('Der Browser hat das Kopieren nicht erlaubt.'))
    }
  }
  return (
    <>
      <IconButton
        icon="undo"
        label={last ? t('Rückgängig: {what}', { what: actionText(last.action) }) : t('Rückgängig')}
        title={last ? t('Rückgängig: {what} (Strg+Z)', { what: actionText(last.action) }) : t('Rückgängig')}
        disabled={last === undefined}
        onClick={onUndo}
      />
      <IconButton
        icon="redo"
        label={next ? t('Wiederholen: {what}', { what: actionText(next.action) }) : t('Wiederholen')}
        title={next ? t('Wiederholen: {what} (Strg+Y)', { what: actionText(next.action) }) : t('Wiederholen')}
        disabled={next === undefined}
        onClick={onRedo}
      />
      <Menu
        label={t('Datei und Stände')}
        align="end"
        trigger={
          <>
            {t('Datei')}
            <Icon name="chevronDown" size={16} />
          </>
        }
        items={[
          {
            key: 'einlesen',
            label: t('Punktdatei einlesen …'),
            icon: 'upload',
            onSelect: () => onDialog('einlesen'),
          },
          {
            key: 'neu',
            label: t('Punkte für QGIS speichern'),
            icon: 'download',
            disabled: empty,
            divided: true,
            onSelect: () => savePointsFile(stand, evaluation, 'neu', kartenName),
          },
          {
            key: 'alt',
            label: t('Punkte für QGIS vor 3.26 speichern'),
            icon: 'download',
            disabled: empty,
            onSelect: () => savePointsFile(stand, evaluation, 'alt', kartenName),
          },
          {
            key: 'welt',
            label: affin ? t('Weltdatei speichern') : t('Weltdatei (nur linear, Helmert, 1. Ordnung)'),
            icon: 'download',
            disabled: !affin,
            onSelect: () => saveWorldFile(evaluation, scanName),
          },
          {
            key: 'csv',
            label: t('Restfehler als CSV'),
            icon: 'download',
            disabled: empty,
            onSelect: () => saveReport(stand, evaluation, kartenName),
          },
          {
            key: 'pdf',
            label: t('Restfehler als PDF'),
            icon: 'download',
            disabled: empty,
            onSelect: () => {
              saveReportPdf(stand, evaluation, kartenName, breite, hoehe).catch((error: unknown) =>
                toast.error(messageOf(error)),
              )
            },
          },
          {
            key: 'bash',
            label: t('GDAL-Befehle kopieren'),
            icon: 'file',
            disabled: evaluation.mesh === null,
            onSelect: () => void copyCommands(),
          },
          {
            key: 'staende',
            label: t('Frühere Stände …'),
            icon: 'history',
            divided: true,
            onSelect: () => onDialog('staende'),
          },
        ]}
      />
      <Button variant="primary" busy={saving} disabled={!dirty} onClick={onSave} title={t('Strg+S')}>
        {t('Speichern')}
      </Button>
    </>
  )
}
