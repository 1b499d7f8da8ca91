// What charts of bars share: the grid with its values, one bar, the legend.
import type { ReactNode } from 'react'
import { HEIGHT } from './box.ts'
import { hatchOf } from './Hatching.tsx'

export interface Series {
  readonly key: string
  readonly name: string
}

interface ValueGridProps {
  steps: readonly number[]
  left: number
  right: number
  y: (value: number) => number
  formatValue: (value: number) => string
  /** Bars go down as well: the line they start from stands out. */
  markZero?: boolean
}

export const ValueGrid = ({ steps, left, right, y, formatValue, markZero = false }: ValueGridProps) =>
  steps.map((step) => (
    <g key={step}>
      <line
        x1={left}
        x2={right}
        y1={y(step)}
        y2={y(step)}
        className={markZero && step === 0 ? 'chart-grid chart-zero' : 'chart-grid'}
      />
      <text x={left - 8} y={y(step) + 4} className="chart-text" textAnchor="end">
        {formatValue(step)}
      </text>
    </g>
  ))

interface BarProps {
  /** Of the chart's hatching. */
  id: string
  /** Number of the series, from 1. */
  series: number
  x: number
  y: number
  width: number
  height: number
}

export function SeriesBar({ id, series, ...box }: BarProps) {
  const hatch = hatchOf(id, series)
  return (
    <g>
      <rect {...box} className={`chart-series-${series}`} />
      {hatch && <rect {...box} fill={hatch} />}
    </g>
  )
}

/** Below a bar. */
export const Label = ({ x, text }: { x: number; text: string }) => (
  <text x={x} y={HEIGHT - 8} className="chart-text" textAnchor="middle">
    {text}
  </text>
)

export const Legend = ({ series, children }: { series: readonly Series[]; children?: ReactNode }) => (
  <figcaption className="chart-legend">
    {series.map(({ key, name }, nr) => (
      <span key={key}>
        <span className={`chart-swatch chart-series-${nr + 1} chart-swatch-${nr + 1}`} aria-hidden="true" />
        {name}
      </span>
    ))}
    {children}
  </figcaption>
)
