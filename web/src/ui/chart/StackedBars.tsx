// Stacked bars over time as plain SVG.
import { useId } from 'react'
import { axisWidth, shownLabels } from './axis.ts'
import { BOTTOM, HEIGHT, TOP } from './box.ts'
import './chart.css'
import { Label, Legend, SeriesBar, ValueGrid } from './ChartParts.tsx'
import { type ChartProps, ChartPlot } from './ChartPlot.tsx'
import { niceSteps } from './nice-steps.ts'

export function StackedBars(props: ChartProps) {
  const { series, bars, formatValue } = props
  const id = useId()
  const most = Math.max(0, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)))
  const steps = niceSteps(most)
  const highest = steps.at(-1) ?? 1
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / highest)
  return (
    <ChartPlot
      {...props}
      id={id}
      left={axisWidth(steps.map(formatValue))}
      legend={<Legend series={series} />}
    >
      {({ wide, left, slot }) => {
        const width = Math.min(46, slot * 0.68)
        const shown = shownLabels(
          bars.map(({ label }) => label),
          slot,
        )
        return (
          <>
            <ValueGrid steps={steps} left={left} right={wide} y={y} formatValue={formatValue} />
            {bars.map((bar, at) => {
              let below = 0
              return (
                <g key={bar.key}>
                  {bar.values.map((value, nr) => {
                    const from = below
                    below += value
                    return (
                      <SeriesBar
                        key={series[nr]?.key}
                        id={id}
                        series={nr + 1}
                        x={left + slot * at + (slot - width) / 2}
                        y={y(below)}
                        width={width}
                        height={Math.max(0, y(from) - y(below))}
                      />
                    )
                  })}
                  {shown[at] && <Label x={left + slot * (at + 0.5)} text={bar.label} />}
                </g>
              )
            })}
          </>
        )
      }}
    </ChartPlot>
  )
}
