// Above the georeferencer: taking back, files and earlier states, saving.
import type { Auswertung } from '#domain/georef/auswertung.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { saveBericht, saveBerichtPdf, savePunkteDatei, saveWeltdatei } from './ausgaben.ts'
import { tatText } from './georef-words.ts'
import type { SitzungGriff } from './use-sitzung.ts'

interface Props {
  sitzung: Pick<SitzungGriff, 'jetzt' | 'vergangen' | 'zukunft'>
  auswertung: Auswertung
  kartenName: string
  scanName: string
  /** Of the scan, in pixels. */
  breite: number
  hoehe: number
  dirty: boolean
  saving: boolean
  /** The commands for GDAL; null while nothing fits. */
  bash: () => string | null
  onZurueck: () => void
  onWieder: () => void
  onFenster: (art: 'einlesen' | 'staende') => void
  onSpeichern: () => void
}

export function GeorefTaten({
  sitzung: { jetzt: stand, vergangen, zukunft },
  auswertung,
  kartenName,
  scanName,
  breite,
  hoehe,
  dirty,
  saving,
  bash,
  onZurueck,
  onWieder,
  onFenster,
  onSpeichern,
}: Props) {
  const last = vergangen.at(-1)
  const next = zukunft.at(-1)
  const affin = auswertung.affin !== null
  const empty = stand.punkte.length === 0
  async function kopiere() {
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
        label={last ? t('Rückgängig: {what}', { what: tatText(last.tat) }) : t('Rückgängig')}
        title={last ? t('Rückgängig: {what} (Strg+Z)', { what: tatText(last.tat) }) : t('Rückgängig')}
        disabled={last === undefined}
        onClick={onZurueck}
      />
      <IconButton
        icon="redo"
        label={next ? t('Wiederholen: {what}', { what: tatText(next.tat) }) : t('Wiederholen')}
        title={next ? t('Wiederholen: {what} (Strg+Y)', { what: tatText(next.tat) }) : t('Wiederholen')}
        disabled={next === undefined}
        onClick={onWieder}
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
          { key: 'einlesen', label: t('Punktdatei einlesen …'), icon: 'upload', onSelect: () => onFenster('einlesen') },
          {
            key: 'neu',
            label: t('Punkte für QGIS speichern'),
            icon: 'download',
            disabled: empty,
            divided: true,
            onSelect: () => savePunkteDatei(stand, auswertung, 'neu', kartenName),
          },
          {
            key: 'alt',
            label: t('Punkte für QGIS vor 3.26 speichern'),
            icon: 'download',
            disabled: empty,
            onSelect: () => savePunkteDatei(stand, auswertung, 'alt', kartenName),
          },
          {
            key: 'welt',
            label: affin ? t('Weltdatei speichern') : t('Weltdatei (nur linear, Helmert, 1. Ordnung)'),
            icon: 'download',
            disabled: !affin,
            onSelect: () => saveWeltdatei(auswertung, scanName),
          },
          {
            key: 'csv',
            label: t('Restfehler als CSV'),
            icon: 'download',
            disabled: empty,
            onSelect: () => saveBericht(stand, auswertung, kartenName),
          },
          {
            key: 'pdf',
            label: t('Restfehler als PDF'),
            icon: 'download',
            disabled: empty,
            onSelect: () => {
              saveBerichtPdf(stand, auswertung, kartenName, breite, hoehe).catch((error: unknown) => toast.error(messageOf(error)))
            },
          },
          {
            key: 'bash',
            label: t('GDAL-Befehle kopieren'),
            icon: 'file',
            disabled: auswertung.netz === null,
            onSelect: () => void kopiere(),
          },
          { key: 'staende', label: t('Frühere Stände …'), icon: 'history', divided: true, onSelect: () => onFenster('staende') },
        ]}
      />
      <Button variant="primary" busy={saving} disabled={!dirty} onClick={onSpeichern} title={t('Strg+S')}>
        {t('Speichern')}
      </Button>
    </>
  )
}
