// The drawing of a chart with what makes it readable: the values of a bar under the pointer and by arrow keys,
// where screen readers say them as well, the legend, and on request the same figures as a table.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { HeadRow, SmallTable } from '../SmallTable.tsx'
import { t } from '../text.ts'
import { BOTTOM, HEIGHT, TOP } from './box.ts'
import type { Series } from './ChartParts.tsx'
import { Hatching } from './Hatching.tsx'
import { useWidth } from './use-width.ts'

export interface Bar {
  readonly key: string
  /** Shown below the bar where there is room; '' for none. */
  readonly label: string
  /** All its values in a sentence: shown and read aloud. */
  readonly title: string
  /** One value per series. */
  readonly values: readonly number[]
}
export interface ChartProps {
  /** What the chart shows, in one sentence. */
  label: string
  series: readonly Series[]
  bars: readonly Bar[]
  formatValue: (value: number) => string
  /** What the bars are, as the first column's title, for charts without a table of the caller's beside them. */
  tableOf?: string
}

const USUAL = 900

export interface Box {
  readonly wide: number
  readonly left: number
  readonly slot: number
}
interface Props extends ChartProps {
  /** Of the hatching. */
  id: string
  /** Width of the axis. */
  left: number
  legend: ReactNode
  children: (box: Box) => ReactNode
}

export function ChartPlot({ id, left, legend, children, ...props }: Props) {
  const { label, bars, tableOf } = props
  const [wide, measured] = useWidth(USUAL)
  const slot = (wide - left) / Math.max(1, bars.length)
  const { at, handlers } = useActiveBar(bars.length, left, slot)
  const bar = at === null ? undefined : bars[at]
  return (
    <figure className="chart" ref={measured}>
      <div
        className="chart-plot"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input holds no drawing
        role="slider"
        aria-label={label}
        aria-roledescription={t('Diagramm')}
        aria-orientation="horizontal"
        aria-readonly="true"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, bars.length)}
        aria-valuenow={(at ?? 0) + 1}
        aria-valuetext={bar?.title ?? bars[0]?.title}
        tabIndex={0}
        {...handlers}
      >
        <svg viewBox={`0 0 ${wide} ${HEIGHT}`} height={HEIGHT} aria-hidden="true">
          <Hatching id={id} />
          {at !== null && (
            <rect
              className="chart-slot"
              x={left + slot * at}
              y={TOP}
              width={slot}
              height={HEIGHT - TOP - BOTTOM}
            />
          )}
          {children({ wide, left, slot })}
        </svg>
        {bar !== undefined && at !== null && (
          <Value text={bar.title} share={(left + slot * (at + 0.5)) / wide} />
        )}
      </div>
      {legend}
      {tableOf !== undefined && <Figures {...props} first={tableOf} />}
    </figure>
  )
}

/** Above its bar; at the edges it stays within the chart. */
const Value = ({ text, share }: { text: string; share: number }) => (
  <div className="chart-value" aria-hidden="true">
    <span style={{ left: `${share * 100}%`, translate: `${share * -100}% 0` }}>{text}</span>
  </div>
)

/** The bar under the pointer or reached by arrow keys. */
function useActiveBar(count: number, left: number, slot: number) {
  const [at, setAt] = useState<number | null>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? -1
    const next = {
      ArrowRight: Math.min(count - 1, now + 1),
      ArrowUp: Math.min(count - 1, now + 1),
      ArrowLeft: Math.max(0, now - 1),
      ArrowDown: Math.max(0, now - 1),
      Home: 0,
      End: count - 1,
      Escape: null,
    }[event.key]
    if (next === undefined || (event.key === 'Escape' && at === null)) return
    event.preventDefault()
    setAt(count === 0 ? null : next)
  }
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const under = Math.floor((clientX - box.left - left) / slot)
    setAt(under >= 0 && under < count ? under : null)
  }
  return {
    at: at !== null && at < count ? at : null,
    handlers: {
      onKeyDown,
      onPointerMove,
      onPointerDown: onPointerMove,
      onPointerLeave: () => setAt(null),
      onBlur: () => setAt(null),
      onFocus: ({ currentTarget }: { currentTarget: Element }) => {
        if (currentTarget.matches(':focus-visible')) setAt((before) => before ?? (count > 0 ? 0 : null))
      },
    },
  }
}

const Figures = ({ label, series, bars, formatValue, first }: ChartProps & { first: string }) => (
  <details className="chart-table">
    <summary>{t('Zahlen als Tabelle')}</summary>
    <SmallTable label={label}>
      <HeadRow titles={[first, ...series.map(({ name }) => name)]} />
      <tbody>
        {bars.map(({ key, label: name, values }) => (
          <tr key={key}>
            <th scope="row">{name === '' ? key : name}</th>
            {values.map((value, nr) => (
              <td key={series[nr]?.key} className="cell-end nums">
                {formatValue(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </SmallTable>
  </details>
)
