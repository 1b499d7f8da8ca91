// Grouped bars over time, optionally with a line for a running value. The chart is visual only; a table next
// to it has the same figures.
import { useId } from 'react'
import './chart.css'
import { Hatching, hatchOf } from './Hatching.tsx'
import { niceSteps } from './nice-steps.ts'
import type { Bar, Series } from './StackedBars.tsx'
import { everyLabel, useWidth } from './use-width.ts'

interface Props {
  /** What the chart shows, in one sentence. */
  label: string
  series: readonly Series[]
  /** Values must not be negative. */
  bars: readonly Bar[]
  formatValue: (value: number) => string
  /** One value per bar; may be negative. */
  line?: { readonly name: string; readonly values: readonly number[] }
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [900, 260, 90, 26, 10]

/** Grid lines from the least to the greatest value, including zero. */
export function stepsAround(least: number, most: number): number[] {
  const up = niceSteps(Math.max(most, -least))
  const step = (up[1] ?? 1) - (up[0] ?? 0)
  const above = most > 0 ? Math.ceil(most / step - 1e-9) : 0
  const below = least < 0 ? Math.ceil(-least / step - 1e-9) : 0
  const count = Math.max(1, above)
  return Array.from({ length: count + below + 1 }, (_, nr) => Number(((nr - below) * step).toPrecision(12)))
}

export function GroupedBars({ label, series, bars, formatValue, line }: Props) {
  const [wide, measured] = useWidth(WIDTH)
  const id = useId()
  const all = [...bars.flatMap(({ values }) => values), ...(line?.values ?? [])]
  const steps = stepsAround(Math.min(0, ...all), Math.max(0, ...all))
  const [bottom, top] = [steps[0] ?? 0, steps.at(-1) ?? 1]
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - bottom) / (top - bottom))
  const slot = (wide - LEFT) / Math.max(1, bars.length)
  const width = Math.min(24, (slot * 0.72) / Math.max(1, series.length))
  const middle = (at: number) => LEFT + slot * (at + 0.5)
  const every = everyLabel(slot)
  return (
    <figure className="chart" aria-label={label} ref={measured}>
      <svg viewBox={`0 0 ${wide} ${HEIGHT}`} height={HEIGHT} aria-hidden="true">
        <Hatching id={id} />
        {steps.map((step) => (
          <g key={step}>
            <line
              x1={LEFT}
              x2={wide}
              y1={y(step)}
              y2={y(step)}
              className={step === 0 ? 'chart-grid chart-zero' : 'chart-grid'}
            />
            <text x={LEFT - 8} y={y(step) + 4} className="chart-text" textAnchor="end">
              {formatValue(step)}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => (
          <g key={bar.key}>
            <title>{bar.title}</title>
            <rect
              x={LEFT + slot * at}
              y={TOP}
              width={slot}
              height={HEIGHT - TOP - BOTTOM}
              className="chart-slot"
            />
            {bar.values.map((value, nr) => {
              const [x, height] = [
                middle(at) + width * (nr - bar.values.length / 2),
                Math.max(0, y(0) - y(value)),
              ]
              const hatch = hatchOf(id, nr + 1)
              return (
                <g key={series[nr]?.key}>
                  <rect
                    x={x}
                    y={y(value)}
                    width={width}
                    height={height}
                    className={`chart-series-${nr + 1}`}
                  />
                  {hatch && <rect x={x} y={y(value)} width={width} height={height} fill={hatch} />}
                </g>
              )
            })}
            {bar.label !== '' && at % every === 0 && (
              <text x={middle(at)} y={HEIGHT - 8} className="chart-text" textAnchor="middle">
                {bar.label}
              </text>
            )}
          </g>
        ))}
        {line && line.values.length > 1 && (
          <polyline
            className="chart-line"
            points={line.values.map((value, at) => `${middle(at)},${y(value)}`).join(' ')}
          />
        )}
        {line?.values.map((value, at) => (
          <circle key={bars[at]?.key} className="chart-dot" cx={middle(at)} cy={y(value)} r={3} />
        ))}
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
        {line && (
          <span>
            <span className="chart-swatch chart-swatch-line" aria-hidden="true" />
            {line.name}
          </span>
        )}
      </figcaption>
    </figure>
  )
}
