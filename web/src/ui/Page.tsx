// The frame of every page: heading, actions, content. It provides the page's name for breadcrumb, window
// title and screen readers.
import { type ReactNode, useEffect, useRef } from 'react'
import './page.css'
import { useView } from './view.tsx'

export interface PageProps {
  /** Heading; default: the route's title. */
  title?: string | undefined
  /** Name of the record that the page is about; becomes the last part of the breadcrumb. */
  record?: string | undefined
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** narrow for forms and texts, full for lists. */
  width?: 'full' | 'narrow'
}

export function Page({ title, record, subtitle, actions, children, width = 'full' }: PageProps) {
  const view = useView()
  const heading = useRef<HTMLHeadingElement>(null)
  const { setTitle, arrived } = view
  useEffect(() => setTitle(record ?? null), [setTitle, record])
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
  }, [arrived])
  return (
    <div className={`page page-${width}`}>
      <header className="page-head">
        <div className="page-titles">
          <div className="page-heading">
            <h1 ref={heading} tabIndex={-1}>
              {title ?? record ?? view.title}
            </h1>
            {(record !== undefined || Object.keys(view.params).length === 0) && view.mark}
          </div>
          {subtitle && <div className="page-subtitle">{subtitle}</div>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A row of controls above a list. */
export const Toolbar = ({ children, label }: { children: ReactNode; label?: string }) => (
  <fieldset className="toolbar" aria-label={label}>
    {children}
  </fieldset>
)
/** Stacks its children vertically with the usual gap. */
export const Stack = ({ children }: { children: ReactNode }) => <div className="stack">{children}</div>
/** Cards side by side, as many as fit. */
export const Columns = ({ children }: { children: ReactNode }) => <div className="columns">{children}</div>
/** Buttons at the end of a form, the main one first. */
export const Actions = ({ children }: { children: ReactNode }) => <div className="actions">{children}</div>
