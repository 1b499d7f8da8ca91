// Finds the remaining crossings of the sheet's printed grid, once two of them are known.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FoundGrid, type GridDefect, spacingOf } from '#domain/georef/grid.ts'
import { usedPoints } from '#domain/georef/session.ts'
import { parseCoordinate } from '#domain/georef/coordinate.ts'
import { messageOf } from '../../record/record-faults.ts'
import { TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useGeoref, useStand } from './georef-context.ts'
import { loadPoints, rounded } from './georef-store.ts'
import { findGrid } from './grid-search.ts'

export function GridDialog({ onClose }: { onClose: () => void }) {
  const { store, source } = useGeoref()
  const stand = useStand()
  const known = usedPoints(stand)
  const [text, setText] = useState(() => String(spacingOf(known) ?? ''))
  const [fault, setFault] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number } | null>(null)
  const [result, setResult] = useState<FoundGrid | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function search(): Promise<void> {
    const spacing = parseCoordinate(text)
    if (spacing === null || spacing <= 0) return setFault(t('Bitte eine Zahl wie 200 eingeben.'))
    if (source === null) return undefined
    const ended = new AbortController()
    running.current = ended
    setFault(null)
    setProblem(null)
    setProgress({ done: 0, all: 0 })
    try {
      const found = await findGrid(source, known, spacing, ended.signal, (done, all) =>
        setProgress({ done, all }),
      )
      if (typeof found === 'string') setFault(defectText(found))
      else setResult(found)
    } catch (error) {
      if (!ended.signal.aborted) setProblem(messageOf(error))
    }
    return setProgress(null)
  }
  function take({ found }: FoundGrid): void {
    const foundPoints = found.map((point) => ({
      ...point,
      spalte: rounded(point.spalte, 3),
      zeile: rounded(point.zeile, 3),
      enable: true,
    }))
    store.change((now) => loadPoints(now, { punkte: foundPoints, isAppended: true, werte: {} }))
    toast.success(
      foundPoints.length === 1
        ? t('1 Gitterkreuz als Passpunkt übernommen.')
        : t('{n} Gitterkreuze als Passpunkte übernommen.', { n: foundPoints.length }),
    )
    onClose()
  }
  const isEmpty = result !== null && result.found.length === 0
  return (
    <FormDialog
      title={t('Gitterkreuze suchen')}
      submitLabel={result === null || isEmpty ? t('Suchen') : t('Übernehmen')}
      busy={progress !== null}
      fault={problem}
      faultTitle={t('Nicht gesucht')}
      onSubmit={() => (result === null || isEmpty ? search() : take(result))}
      onClose={onClose}
      onStop={() => running.current?.abort()}
    >
      <p>
        {t(
          'Zwei Gitterkreuze sind Passpunkte mit ihren aufgedruckten Koordinaten: dann findet das Programm die ' +
            'übrigen im Scan. Am besten liegen die beiden weit auseinander.',
        )}
      </p>
      <TextField
        label={t('Gitterweite in Metern')}
        inputMode="decimal"
        value={text}
        error={fault ?? undefined}
        disabled={progress !== null}
        onChange={({ target }) => {
          setText(target.value)
          setFault(null)
          setResult(null)
        }}
      />
      <output>{progress ? <Progress {...progress} /> : result && <Result {...result} />}</output>
    </FormDialog>
  )
}

const Progress = ({ done, all }: { done: number; all: number }): ReactNode => (
  <>
    <progress value={done} max={Math.max(1, all)} aria-label={t('Fortschritt')} />{' '}
    {t('{done} von {all} Stellen angesehen …', { done: formatNumber(done), all: formatNumber(all) })}
  </>
)

const Result = ({ found, missing }: FoundGrid): ReactNode => (
  <p>
    {found.length === 0
      ? t('Kein weiteres Gitterkreuz gefunden. Stimmen die Gitterweite und die beiden Passpunkte?')
      : found.length === 1
        ? t('1 gefunden. Übernehmen setzt dort einen Passpunkt; die Tabelle zeigt, wie gut er passt.')
        : t('{n} gefunden. Übernehmen setzt dort Passpunkte; die Tabelle zeigt, wie gut sie passen.', {
            n: found.length,
          })}{' '}
    {missing === 1
      ? t('An einer weiteren Stelle ist keines zu erkennen.')
      : missing > 0 && t('An {n} weiteren Stellen ist keines zu erkennen.', { n: missing })}
  </p>
)

function defectText(defect: GridDefect): string {
  switch (defect) {
    case 'zu_wenige':
      return t('Setzen Sie zuerst zwei Gitterkreuze als Passpunkte.')
    case 'nicht_im_gitter':
      return t(
        'Die Passpunkte liegen nicht auf einem Gitter dieser Weite. Bitte Weite und Koordinaten prüfen.',
      )
    case 'zu_viele':
      return t('Das wären über 400 Kreuze auf diesem Blatt. Ist die Gitterweite zu klein?')
  }
}
