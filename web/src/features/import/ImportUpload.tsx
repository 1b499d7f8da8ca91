// First step: a file by click or drop.
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'

export function ImportUpload({ busy, onFile }: { busy: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !busy) onFile(file)
  }
  return (
    <Card>
      <div
        className={over ? 'import-drop import-drop-over' : 'import-drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" size={32} />
        <p>
          <strong>{t('Datei hierher ziehen')}</strong>
        </p>
        <p className="soft">{t('Excel (.xlsx) oder CSV, bis 20 MB und 20.000 Zeilen')}</p>
        <Button variant="primary" busy={busy} onClick={() => input.current?.click()}>
          {busy ? t('Datei wird gelesen …') : t('Datei wählen')}
        </Button>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('Importdatei')}
          accept=".xlsx,.csv,.txt,.tsv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          onChange={(event) => {
            const file = event.target.files?.[0]
            // The same file again, mended meanwhile, must count as a choice.
            event.target.value = ''
            if (file) onFile(file)
          }}
        />
      </div>
      <div className="import-hints">
        <p>
          {t(
            'Eine Zeile ist ein Forstbetrieb mit den Angaben seines Kunden. Hat ein Kunde mehrere Forstbetriebe, steht er in mehreren Zeilen.',
          )}
        </p>
        <p>
          {t(
            'Gebraucht werden Name, Straße, PLZ und Ort. Die Überschriften stehen in der ersten Zeile; welche Spalte was enthält, legen Sie im nächsten Schritt fest.',
          )}
        </p>
      </div>
    </Card>
  )
}
