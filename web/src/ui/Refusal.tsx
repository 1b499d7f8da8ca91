// Tells why something was not done.
import { useEffect, useRef } from 'react'
import { Notice } from './Display.tsx'

/** Why something was not done; it comes into sight wherever the button is that asked for it. */
export function Refusal({ title, children }: { title: string; children: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The browser may answer with a promise, which an effect must not return.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [children])
  return (
    <div ref={place} className="refusal">
      <Notice tone="danger" title={title}>
        {children}
      </Notice>
    </div>
  )
}
