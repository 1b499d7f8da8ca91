// Stacked bars over time as plain SVG. The chart is visual only; callers show the same figures in a table
// next to it.
import { useId } from 'react'
import './chart.css'
import { Hatching, hatchOf } from './Hatching.tsx'
import { niceSteps } from './nice-steps.ts'
import { everyLabel, useWidth } from './use-width.ts'

export interface Series {
  readonly key: string
  readonly name: string
}
export interface Bar {
  readonly key: string
  /** Shown below the bar; '' for none. */
  readonly label: string
  /** Shown on hover. */
  readonly title: string
  /** One value per series. */
  readonly values: readonly number[]
}
interface Props {
  /** What the chart shows, in one sentence. */
  label: string
  series: readonly Series[]
  bars: readonly Bar[]
  formatValue: (value: number) => string
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [900, 260, 78, 26, 10]

export function StackedBars({ label, series, bars, formatValue }: Props) {
  const [wide, measured] = useWidth(WIDTH)
  const id = useId()
  const most = Math.max(0, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)))
  const steps = niceSteps(most)
  const highest = steps.at(-1) ?? 1
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / highest)
  const slot = (wide - LEFT) / Math.max(1, bars.length)
  const every = everyLabel(slot)
  const width = Math.min(46, slot * 0.68)
  return (
    <figure className="chart" aria-label={label} ref={measured}>
      <svg viewBox={`0 0 ${wide} ${HEIGHT}`} height={HEIGHT} aria-hidden="true">
        <Hatching id={id} />
        {steps.map((step) => (
          <g key={step}>
            <line x1={LEFT} x2={wide} y1={y(step)} y2={y(step)} className="chart-grid" />
            <text x={LEFT - 8} y={y(step) + 4} className="chart-text" textAnchor="end">
              {formatValue(step)}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => {
          const x = LEFT + slot * at + (slot - width) / 2
          let below = 0
          return (
            <g key={bar.key}>
              <title>{bar.title}</title>
              {/* Makes the whole slot hoverable, even if the bar is thin. */}
              <rect
                x={LEFT + slot * at}
                y={TOP}
                width={slot}
                height={HEIGHT - TOP - BOTTOM}
                className="chart-slot"
              />
              {bar.values.map((value, nr) => {
                const from = below
                below += value
                const [top, height] = [y(below), Math.max(0, y(from) - y(below))]
                const hatch = hatchOf(id, nr + 1)
                return (
                  <g key={series[nr]?.key}>
                    <rect x={x} y={top} width={width} height={height} className={`chart-series-${nr + 1}`} />
                    {hatch && <rect x={x} y={top} width={width} height={height} fill={hatch} />}
                  </g>
                )
              })}
              {bar.label !== '' && at % every === 0 && (
                <text x={x + width / 2} y={HEIGHT - 8} className="chart-text" textAnchor="middle">
                  {bar.label}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <figcaption className="chart-legend">
        {series.map(({ key, name }, nr) => (
          <span key={key}>
            <span
              className={`chart-swatch chart-series-${nr + 1} chart-swatch-${nr + 1}`}
              aria-hidden="true"
            />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
