// Figures that link to their lists.
import './my-betrieb.css'

export interface Figure {
  readonly key: string
  readonly name: string
  readonly value: string
  /** Text beside the figure. */
  readonly more?: string
  readonly href: string
}

export const Figures = ({ label, zahlen }: { label: string; zahlen: readonly Figure[] }) => (
  <ul className="betrieb-zahlen" aria-label={label}>
    {zahlen.map(({ key, name, value, more, href }) => (
      <li key={key}>
        <a href={href}>
          <strong className="nums">{value}</strong>
          {name}
          {more !== undefined && <span className="soft nums"> {more}</span>}
        </a>
      </li>
    ))}
  </ul>
)
