// Horizontal bars with names and figures. Each segment can be clicked to filter the page or open a link.
// Figures are shown as text next to the bars.
import './chart.css'
import './bar-list.css'

/** What a click on a bar does: filters this page, opens another, or nothing. */
export type BarPress =
  | { readonly chosen: boolean; readonly onPress: () => void }
  | { readonly href: string }
  | { readonly fixed: true }
export type BarPart = BarPress & {
  readonly key: string
  readonly value: number
  /** The bar's own colour, as on a map; default: the series' colour. */
  readonly farbe?: string
  /** Read aloud instead of the bar: "Schacht, vermessen: 12". */
  readonly label: string
}
export interface BarRow {
  readonly key: string
  readonly name: string
  /** Shown next to the bar. */
  readonly text: string
  /** One part per series, in their order. */
  readonly parts: readonly BarPart[]
}
interface Props {
  label: string
  rows: readonly BarRow[]
  /** Names of the series; a single one has no legend. */
  series?: readonly string[]
  /** Each row is a whole: bars show shares instead of amounts. */
  asShares?: boolean
  /** The amount that fills the width, for lists that are compared; default: the largest of this one. */
  scale?: number
}

export function BarList({ label, rows, series = [], asShares = false, scale }: Props) {
  const sumOf = ({ parts }: BarRow) => parts.reduce((sum, { value }) => sum + value, 0)
  const most = scale ?? Math.max(1, ...rows.map(sumOf))
  return (
    <figure className="bar-list" aria-label={label}>
      <ul>
        {rows.map((row) => {
          const { key, name, text, parts } = row
          const whole = asShares ? Math.max(1, sumOf(row)) : most
          return (
            <li key={key}>
              <span className="bar-list-name">{name}</span>
              <span className="bar-list-track">
                {parts.map(
                  (part, nr) => part.value > 0 && <Part key={part.key} part={part} nr={nr} whole={whole} />,
                )}
              </span>
              <span className="bar-list-text nums">{text}</span>
            </li>
          )
        })}
      </ul>
      {series.length > 1 && (
        <figcaption className="chart-legend">
          {series.map((name, nr) => (
            <span key={name}>
              <span
                className={`chart-swatch chart-series-${nr + 1} chart-swatch-${nr + 1}`}
                aria-hidden="true"
              />
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

function Part({ part, nr, whole }: { part: BarPart; nr: number; whole: number }) {
  const { value, farbe, label } = part
  const color = farbe === undefined ? `chart-swatch-${nr + 1} chart-series-${nr + 1}` : 'bar-list-own'
  const look = {
    className: `bar-list-part ${color}`,
    style: { width: `${(value / whole) * 100}%`, ...(farbe !== undefined && { background: farbe }) },
    title: label,
  }
  const spoken = <span className="visually-hidden">{label}</span>
  if ('fixed' in part) return <span {...look}>{spoken}</span>
  if ('href' in part)
    return (
      <a {...look} href={part.href}>
        {spoken}
      </a>
    )
  return (
    <button {...look} type="button" aria-pressed={part.chosen} onClick={part.onPress}>
      {spoken}
    </button>
  )
}
