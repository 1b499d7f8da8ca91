// Tells why something was not done.
import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from './Display.tsx'

/** Why something was not done; it comes into sight wherever the button is that asked for it. */
export function Refusal({ title, children }: { title: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const said = typeof children === 'string' ? children : title
  useEffect(() => {
    // The browser may answer with a promise, which an effect must not return.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [said])
  return (
    <div ref={place} className="refusal">
      <Notice tone="danger" title={title}>
        {children}
      </Notice>
    </div>
  )
}
