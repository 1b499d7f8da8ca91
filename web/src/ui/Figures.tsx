// Figures that link to their rows.
import './figures.css'

export interface Figure {
  readonly key: string
  readonly name: string
  readonly value: string
  /** Text beside the figure. */
  readonly more?: string
  /** Where the rows are; missing if this person has no page for them. */
  readonly href?: string
  /** Something is wrong here. */
  readonly bad?: boolean
}

export const Figures = ({ label, zahlen }: { label: string; zahlen: readonly Figure[] }) => (
  <ul className="figures" aria-label={label}>
    {zahlen.map(({ key, href, ...figure }) => (
      <li key={key}>
        {href === undefined ? (
          <div className="figure">
            <Content {...figure} />
          </div>
        ) : (
          <a href={href} className="figure">
            <Content {...figure} />
          </a>
        )}
      </li>
    ))}
  </ul>
)

const Content = ({ name, value, more, bad = false }: Omit<Figure, 'key' | 'href'>) => (
  <>
    <strong className={bad ? 'nums figure-bad' : 'nums'}>{value}</strong>
    {name}
    {more !== undefined && <span className="soft nums"> {more}</span>}
  </>
)
