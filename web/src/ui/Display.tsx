// Small presentational components: cards, badges, notices, facts, dates and numbers.
import type { ReactNode } from 'react'
import './display.css'
import { formatDate, formatDateTime, formatNumber } from './format.ts'
import { Icon, type IconName } from './Icon.tsx'
import { t } from './text.ts'

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info'

export const VisuallyHidden = ({ children }: { children: ReactNode }) => (
  <span className="visually-hidden">{children}</span>
)

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

/** A framed section of a page. With `flush`, content such as a table has no padding. */
export function Card({
  title,
  actions,
  children,
  flush = false,
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  flush?: boolean
}) {
  return (
    <section className={flush ? 'card card-flush' : 'card'}>
      {(title || actions) && (
        <div className="card-head">
          {title && <h2>{title}</h2>}
          {actions && <div className="card-actions">{actions}</div>}
        </div>
      )}
      <div className="card-body">{children}</div>
    </section>
  )
}

const TONE_ICONS: Record<Tone, IconName> = {
  neutral: 'info',
  info: 'info',
  success: 'check',
  warning: 'warning',
  danger: 'warning',
}

/** A permanent message on a page. */
export function Notice({
  tone = 'info',
  title,
  children,
  actions,
}: {
  tone?: Tone
  title?: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon name={TONE_ICONS[tone]} size={20} />
      <div className="notice-text">
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {actions && <div className="notice-actions">{actions}</div>}
    </div>
  )
}

/** One name and value of Facts. */
export type Fact = readonly [name: string, value: ReactNode]
export const fact = (name: string, value: ReactNode): Fact => [name, value]
/** A read-only list of names and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' ? <span className="soft">–</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function DateText({ value, time = false }: { value: string | null | undefined; time?: boolean }) {
  if (!value) return <Missing />
  return (
    <time dateTime={value} className="nums">
      {time ? formatDateTime(value) : formatDate(value)}
    </time>
  )
}
export function NumberText({
  value,
  digits,
  unit,
}: {
  value: number | string | null | undefined
  digits?: number
  unit?: string
}) {
  const text = formatNumber(value, digits)
  if (text === '') return <Missing />
  return <span className="nums">{unit ? `${text}\u00a0${unit}` : text}</span>
}
const Missing = () => (
  <span className="soft">
    <span aria-hidden="true">–</span>
    <VisuallyHidden>{t('keine Angabe')}</VisuallyHidden>
  </span>
)
