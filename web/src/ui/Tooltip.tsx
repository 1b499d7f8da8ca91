// A short explanation on hover and focus; Escape hides it. Whatever is needed to use a control belongs in its
// label instead.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import './menu.css'
import { placeBeside } from './place.ts'

const DELAY_MS = 300

export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hide = () => {
    clearTimeout(timer.current)
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover()
  }
  const show = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!tip.current || !anchor.current) return
      tip.current.showPopover()
      placeBeside(tip.current, anchor.current)
    }, DELAY_MS)
  }
  useEffect(() => {
    // As a description, not a label: the control keeps its own name.
    anchor.current?.querySelector('button, a, input, [tabindex]')?.setAttribute('aria-describedby', id)
    return () => clearTimeout(timer.current)
  }, [id])
  return (
    // The handlers only observe the control inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <span
      ref={anchor}
      className="tooltip-anchor"
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      <span ref={tip} id={id} role="tooltip" popover="manual" className="tooltip">
        {text}
      </span>
    </span>
  )
}
