// First step: a file by click or drop.
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'

export function ImportUpload({ busy, onFile }: { busy: boolean; onFile: (file: File) => void }) {
  return (
    <Card>
      <FileDrop
        label={t('Importdatei')}
        accept=".xlsx,.csv,.txt,.tsv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        disabled={busy}
        className="import-drop"
        onFiles={([file]) => file && onFile(file)}
      >
        {(choose) => (
          <>
            <Icon name="upload" size={32} />
            <p>
              <strong>{t('Datei hierher ziehen')}</strong>
            </p>
            <p className="soft">{t('Excel (.xlsx) oder CSV, bis 20 MB und 20.000 Zeilen')}</p>
            <Button variant="primary" busy={busy} onClick={choose}>
              {busy ? t('Datei wird gelesen …') : t('Datei wählen')}
            </Button>
          </>
        )}
      </FileDrop>
      <div className="import-hints">
        <p>
          {t(
            'Eine Zeile ist ein Forstbetrieb mit den Angaben seines Kunden. Hat ein Kunde mehrere ' +
              'Forstbetriebe, steht er in mehreren Zeilen.',
          )}
        </p>
        <p>
          {t(
            'Gebraucht werden Name, Straße, PLZ und Ort. Die Überschriften stehen in der ersten Zeile; welche ' +
              'Spalte was enthält, legen Sie im nächsten Schritt fest.',
          )}
        </p>
      </div>
    </Card>
  )
}
