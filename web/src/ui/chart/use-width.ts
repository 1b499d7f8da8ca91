// Width at which a chart is drawn: as wide as it is shown, so that its text keeps its size on narrow screens.
import { type RefCallback, useCallback, useState } from 'react'

const LEAST = 260

export function useWidth(usual: number): readonly [width: number, ref: RefCallback<HTMLElement>] {
  const [width, setWidth] = useState(usual)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const measure = () => setWidth((before) => Math.max(LEAST, Math.round(element.clientWidth)) || before)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [width, ref]
}
