// Merges several georeferenced plans of a customer into one: shows them on the map with the offsets at their
// seams, and requests the mosaic, which becomes a separate plan.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { KarteResult } from '#contract/karte-mosaic.ts'
import { MOST_SHEETS_MERGED } from '#domain/georef/sheets.ts'
import { converterQuery } from '../../karte/converter.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { aloneOf, moved, pairsOf, unplacedOf } from './merge-sheets.ts'
import { resultsQuery } from './merge.data.ts'
import { MosaicFields } from './MosaicFields.tsx'
import { SeamList } from './SeamList.tsx'
import { SheetsMap } from './SheetsMap.tsx'
import { type Converter, useMosaicForm } from './use-mosaic-form.ts'
import './karte.css'
import './merge.css'

interface Plan {
  readonly id: number
  readonly map_name: string
}
interface Props {
  rows: readonly Plan[]
  onDone: () => void
  onClose: () => void
}

export function MergeDialog({ rows, onDone, onClose }: Props) {
  const isCountRight = rows.length >= 2 && rows.length <= MOST_SHEETS_MERGED
  const plans = useMemo(() => rows.map(({ id }) => id), [rows])
  const results = useQuery({ ...resultsQuery(plans), enabled: isCountRight })
  const converter = useQuery(converterQuery)
  const close = (
    <Button variant="primary" onClick={onClose}>
      {t('Schließen')}
    </Button>
  )
  const aside = (children: React.ReactNode) => (
    <Dialog open title={t('Blätter zusammenführen')} onClose={onClose} footer={close}>
      {children}
    </Dialog>
  )
  if (!isCountRight)
    return aside(
      <EmptyState icon="layers" title={t('Bitte 2 bis {n} Pläne wählen', { n: MOST_SHEETS_MERGED })}>
        {t('Wählen Sie in der Liste Pläne eines Gebiets, die schon in die Karte entzerrt sind.')}
      </EmptyState>,
    )
  const broken = [results, converter].find(({ isError, data }) => isError && data === undefined)
  if (broken) return aside(<ErrorState error={broken.error} onRetry={() => void broken.refetch()} />)
  if (results.data === undefined || converter.data === undefined) return aside(<Skeleton lines={8} />)
  const refusal = refusalOf(rows, results.data)
  if (refusal !== null)
    return aside(
      <EmptyState icon="layers" title={refusal.title}>
        {refusal.text}
      </EmptyState>,
    )
  return (
    <Merging
      sheets={results.data}
      missing={rows.filter(({ id }) => !results.data.some(({ karte_id }) => karte_id === id))}
      converter={converter.data}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

function refusalOf(rows: readonly Plan[], sheets: readonly KarteResult[]) {
  if (sheets.length < 2)
    return {
      title: t('Dafür fehlen entzerrte Pläne'),
      text: t(
        'Schon entzerrt: {n} von {alle} gewählten Plänen, gebraucht werden mindestens 2. Setzen Sie bei den ' +
          'anderen die Passpunkte, und entzerren Sie sie.',
        { n: sheets.length, alle: rows.length },
      ),
    }
  if (new Set(sheets.map(({ client_id }) => client_id)).size > 1)
    return {
      title: t('Die Pläne gehören verschiedenen Kunden'),
      text: t('Bitte wählen Sie nur Pläne eines Kunden: Das Mosaik wird einer seiner Pläne.'),
    }
  return null
}

interface MergingProps {
  sheets: readonly KarteResult[]
  missing: readonly Plan[]
  converter: Converter
  onDone: () => void
  onClose: () => void
}

function Merging({ sheets: chosen, missing, converter, onDone, onClose }: MergingProps) {
  const [sheets, setSheets] = useState(chosen)
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set())
  const pairs = useMemo(() => pairsOf(converter, chosen), [converter, chosen])
  const unplaced = unplacedOf(converter, chosen)
  const alone = aloneOf(chosen, pairs).filter((sheet) => !unplaced.includes(sheet))
  const form = useMosaicForm({ sheets, converter, onDone, onClose })
  const numberOf = (karte: number): number => sheets.findIndex(({ karte_id }) => karte_id === karte) + 1
  return (
    <FormDialog
      title={t('{n} Blätter zusammenführen', { n: sheets.length })}
      submitLabel={t('Mosaik erzeugen')}
      width="wide"
      className="karte-mosaik"
      busy={form.busy}
      dirty={form.dirty}
      unsaved={t('Das Mosaik ist noch nicht in Auftrag gegeben.')}
      fault={form.fault}
      faultTitle={t('Nicht in Auftrag gegeben')}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {missing.length > 0 && (
        <Notice tone="warning" title={t('Noch nicht entzerrt')}>
          {t('Diese Pläne bleiben weg: {namen}', { namen: missing.map((plan) => plan.map_name).join(', ') })}
        </Notice>
      )}
      {/* Read first; the first field is far below the map. */}
      <p className="soft" tabIndex={-1} data-autofocus>
        {t('Die Zahlen auf der Karte sind die Reihenfolge: 1 liegt oben.')}
      </p>
      <SheetsMap converter={converter} sheets={sheets} marked={marked} />
      <section className="stack" aria-label={t('Reihenfolge')}>
        <h3>{t('Reihenfolge')}</h3>
        <p className="soft">
          {t('Wo sich Blätter überlappen, deckt das obere das untere; unten lässt sich das ändern.')}
        </p>
        <Order sheets={sheets} onChange={setSheets} onMark={(ids) => setMarked(new Set(ids))} />
      </section>
      <section className="stack" aria-label={t('Nähte zwischen den Blättern')}>
        <h3>{t('Nähte zwischen den Blättern')}</h3>
        {unplaced.length > 0 && (
          <Notice tone="info" title={t('Nicht gemessen')}>
            {t(
              'Für diese Blätter fehlt auf dem Server das Gitter BETA2007; ihre Nähte werden nicht gemessen: {namen}',
              {
                namen: unplaced.map((plan) => plan.map_name).join(', '),
              },
            )}
          </Notice>
        )}
        {alone.length > 0 && (
          <Notice tone="warning" title={t('Ohne Nachbarn')}>
            {t('Diese Blätter berühren kein anderes. Liegen sie richtig? {namen}', {
              namen: alone.map((plan) => plan.map_name).join(', '),
            })}
          </Notice>
        )}
        <SeamList pairs={pairs} numberOf={numberOf} onMark={(ids) => setMarked(new Set(ids))} />
      </section>
      <MosaicFields form={form} />
    </FormDialog>
  )
}

interface OrderProps {
  sheets: readonly KarteResult[]
  onChange: (sheets: readonly KarteResult[]) => void
  onMark: (karten: readonly number[]) => void
}
const Order = ({ sheets, onChange, onMark }: OrderProps) => (
  <ol className="karte-reihenfolge">
    {sheets.map(({ karte_id, map_name }, i) => (
      // Marks it on the map, by pointer and by focus alike; there is nothing to do with it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
      <li
        key={karte_id}
        onPointerEnter={() => onMark([karte_id])}
        onPointerLeave={() => onMark([])}
        onFocus={() => onMark([karte_id])}
        onBlur={() => onMark([])}
      >
        <div className="karte-blattzeile">
          <span>
            {map_name}
            {i === 0 && <span className="soft"> {t('liegt oben')}</span>}
          </span>
          {/* Not disabled at the ends, so that the focus stays where it is. */}
          <Button
            size="small"
            aria-label={t('{name} nach oben', { name: map_name })}
            aria-disabled={i === 0}
            onClick={() => onChange(moved(sheets, i, -1))}
          >
            ↑
          </Button>
          <Button
            size="small"
            aria-label={t('{name} nach unten', { name: map_name })}
            aria-disabled={i === sheets.length - 1}
            onClick={() => onChange(moved(sheets, i, 1))}
          >
            ↓
          </Button>
        </div>
      </li>
    ))}
  </ol>
)
