// Toolbar of the georeferencer: undo, files and earlier versions, saving.
import type { State } from '#domain/georef/session.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { saveReport, saveReportPdf, savePointsFile, saveWorldFile } from './outputs.ts'
import { type GeorefContext, useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { redoNext, undo } from './georef-store.ts'
import { actionText } from './georef-words.ts'

export function GeorefActions() {
  const georef = useGeoref()
  const { saver } = georef
  const stand = useStand()
  return (
    <>
      <Steps />
      <Menu
        label={t('Datei und Stände')}
        align="end"
        trigger={
          <>
            {t('Datei')}
            <Icon name="chevronDown" size={16} />
          </>
        }
        items={menuItems(georef, stand)}
      />
      <Button
        variant="primary"
        busy={saver.saving}
        disabled={!saver.dirty}
        onClick={() => void saver.save()}
        title={t('Strg+S')}
      >
        {t('Speichern')}
      </Button>
    </>
  )
}

/** One step back, one step forward. */
function Steps() {
  const { store } = useGeoref()
  const { past, future } = useGeorefState(({ session }) => session)
  const last = past.at(-1)
  const next = future.at(-1)
  return (
    <>
      <IconButton
        icon="undo"
        label={last ? t('Rückgängig: {what}', { what: actionText(last.action) }) : t('Rückgängig')}
        title={last ? t('Rückgängig: {what} (Strg+Z)', { what: actionText(last.action) }) : t('Rückgängig')}
        disabled={last === undefined}
        onClick={() => store.change(undo)}
      />
      <IconButton
        icon="redo"
        label={next ? t('Wiederholen: {what}', { what: actionText(next.action) }) : t('Wiederholen')}
        title={next ? t('Wiederholen: {what} (Strg+Y)', { what: actionText(next.action) }) : t('Wiederholen')}
        disabled={next === undefined}
        onClick={() => store.change(redoNext)}
      />
    </>
  )
}

async function copyCommands(commands: string | null): Promise<void> {
  if (commands === null) return
  try {
    await navigator.clipboard.writeText(commands)
    toast.success(t('Die Befehle sind in der Zwischenablage.'))
  } catch {
    toast.error(t('Der Browser hat das Kopieren nicht erlaubt.'))
  }
}

function menuItems(georef: GeorefContext, stand: State): readonly MenuItem[] {
  const open = (art: 'einlesen' | 'staende') =>
    georef.store.change((now) => ({ ...now, openWindow: { art } }))
  return [
    { key: 'einlesen', label: t('Punktdatei einlesen …'), icon: 'upload', onSelect: () => open('einlesen') },
    ...pointFiles(georef, stand),
    ...reports(georef, stand),
    {
      key: 'staende',
      label: t('Frühere Stände …'),
      icon: 'history',
      divided: true,
      onSelect: () => open('staende'),
    },
  ]
}

/** The points and their transformation for other programs. */
function pointFiles({ record, scanName, evaluation }: GeorefContext, stand: State): readonly MenuItem[] {
  const name = record.karte.map_name
  const empty = stand.punkte.length === 0
  const affin = evaluation.affin !== null
  return [
    {
      key: 'neu',
      label: t('Punkte für QGIS speichern'),
      icon: 'download',
      disabled: empty,
      divided: true,
      onSelect: () => savePointsFile(stand, evaluation, 'neu', name),
    },
    {
      key: 'alt',
      label: t('Punkte für QGIS vor 3.26 speichern'),
      icon: 'download',
      disabled: empty,
      onSelect: () => savePointsFile(stand, evaluation, 'alt', name),
    },
    {
      key: 'welt',
      label: affin ? t('Weltdatei speichern') : t('Weltdatei (nur linear, Helmert, 1. Ordnung)'),
      icon: 'download',
      disabled: !affin,
      onSelect: () => saveWorldFile(evaluation, scanName),
    },
  ]
}

function reports(georef: GeorefContext, stand: State): readonly MenuItem[] {
  const { record, evaluation, breite, hoehe, bash } = georef
  const name = record.karte.map_name
  const empty = stand.punkte.length === 0
  return [
    {
      key: 'csv',
      label: t('Restfehler als CSV'),
      icon: 'download',
      disabled: empty,
      onSelect: () => saveReport(stand, evaluation, name),
    },
    {
      key: 'pdf',
      label: t('Restfehler als PDF'),
      icon: 'download',
      disabled: empty,
      onSelect: () => {
        saveReportPdf(stand, evaluation, name, breite, hoehe).catch((error: unknown) =>
          toast.error(messageOf(error)),
        )
      },
    },
    {
      key: 'bash',
      label: t('GDAL-Befehle kopieren'),
      icon: 'file',
      disabled: evaluation.mesh === null,
      onSelect: () => void copyCommands(bash()),
    },
  ]
}
