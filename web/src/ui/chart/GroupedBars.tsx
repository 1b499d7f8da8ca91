// Grouped bars over time, optionally with a line for a running value; all of them on one scale.
import { useId } from 'react'
import { axisWidth, shownLabels } from './axis.ts'
import { BOTTOM, HEIGHT, TOP } from './box.ts'
import './chart.css'
import { Label, Legend, SeriesBar, ValueGrid } from './ChartParts.tsx'
import { type Bar, type Box, type ChartProps, ChartPlot } from './ChartPlot.tsx'
import { niceSteps } from './nice-steps.ts'

/** Values of the bars must not be negative. */
interface Props extends ChartProps {
  /** One value per bar; may be negative. */
  line?: { readonly name: string; readonly values: readonly number[] }
}

/** Grid lines from the least to the greatest value, including zero. */
export function stepsAround(least: number, most: number): number[] {
  const up = niceSteps(Math.max(most, -least))
  const step = (up[1] ?? 1) - (up[0] ?? 0)
  const above = most > 0 ? Math.ceil(most / step - 1e-9) : 0
  const below = least < 0 ? Math.ceil(-least / step - 1e-9) : 0
  const count = Math.max(1, above)
  return Array.from({ length: count + below + 1 }, (_, nr) => Number(((nr - below) * step).toPrecision(12)))
}

export function GroupedBars({ line, ...props }: Props) {
  const { series, bars, formatValue } = props
  const id = useId()
  const all = [...bars.flatMap(({ values }) => values), ...(line?.values ?? [])]
  const steps = stepsAround(Math.min(0, ...all), Math.max(0, ...all))
  const [bottom, top] = [steps[0] ?? 0, steps.at(-1) ?? 1]
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - bottom) / (top - bottom))
  const legend = (
    <Legend series={series}>
      {line && (
        <span>
          <span className="chart-swatch chart-swatch-line" aria-hidden="true" />
          {line.name}
        </span>
      )}
    </Legend>
  )
  return (
    <ChartPlot {...props} id={id} left={axisWidth(steps.map(formatValue))} legend={legend}>
      {(box) => (
        <>
          <ValueGrid
            steps={steps}
            left={box.left}
            right={box.wide}
            y={y}
            formatValue={formatValue}
            markZero
          />
          <Groups id={id} series={series.map(({ key }) => key)} bars={bars} box={box} y={y} />
          {line && <Course values={line.values} box={box} y={y} />}
        </>
      )}
    </ChartPlot>
  )
}

const middleOf = ({ left, slot }: Box, at: number): number => left + slot * (at + 0.5)

interface GroupsProps {
  id: string
  series: readonly string[]
  bars: readonly Bar[]
  box: Box
  y: (value: number) => number
}
function Groups({ id, series, bars, box, y }: GroupsProps) {
  const width = Math.min(24, (box.slot * 0.72) / Math.max(1, series.length))
  const shown = shownLabels(
    bars.map(({ label }) => label),
    box.slot,
  )
  return bars.map((bar, at) => (
    <g key={bar.key}>
      {bar.values.map((value, nr) => (
        <SeriesBar
          key={series[nr]}
          id={id}
          series={nr + 1}
          x={middleOf(box, at) + width * (nr - bar.values.length / 2)}
          y={y(value)}
          width={width}
          height={Math.max(0, y(0) - y(value))}
        />
      ))}
      {shown[at] && <Label x={middleOf(box, at)} text={bar.label} />}
    </g>
  ))
}

const Course = ({ values, box, y }: { values: readonly number[] } & Pick<GroupsProps, 'box' | 'y'>) => (
  <>
    {values.length > 1 && (
      <polyline
        className="chart-line"
        points={values.map((value, at) => `${middleOf(box, at)},${y(value)}`).join(' ')}
      />
    )}
    {values.map((value, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- a dot has no other name than its place
      <circle key={at} className="chart-dot" cx={middleOf(box, at)} cy={y(value)} r={3} />
    ))}
  </>
)
