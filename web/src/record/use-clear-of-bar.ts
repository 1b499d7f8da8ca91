// Nothing in use is hidden behind the save bar (WCAG 2.4.11): what receives focus is scrolled above it, with
// its label and its fault.
import { type RefObject, useEffect } from 'react'

const GAP = 12

/** What a fixed head covers (frame.css). */
const headRoom = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0

function clearOf(bar: HTMLElement, element: Element): void {
  if (bar.contains(element)) return
  const top = bar.getBoundingClientRect().top
  const place = (element.closest('.field, .checkbox') ?? element).getBoundingClientRect()
  // What is higher than the room above the bar stays with its upper edge in sight.
  const below = place.bottom + GAP - top
  const hidden = Math.min(below, Math.max(0, place.top - GAP))
  // The browser scrolls up to the input and may cut its label off.
  const above = Math.max(place.top - GAP - headRoom(), below)
  const by = hidden > 0 ? hidden : Math.min(0, above)
  if (by !== 0) window.scrollBy({ top: by, behavior: 'instant' })
}

/** `told`: what the bar shows; it grows with it. */
export function useClearOfBar(bar: RefObject<HTMLElement | null>, told: string | null): void {
  useEffect(() => {
    const form = bar.current?.closest('form')
    const clear = ({ target }: FocusEvent) => {
      // After the browser's own scrolling, and once the fault of the field is drawn.
      requestAnimationFrame(() => {
        if (bar.current && target instanceof Element && target === document.activeElement)
          clearOf(bar.current, target)
      })
    }
    form?.addEventListener('focusin', clear)
    return () => form?.removeEventListener('focusin', clear)
  }, [bar])
  useEffect(() => {
    const { activeElement } = document
    if (told !== null && bar.current?.closest('form')?.contains(activeElement))
      clearOf(bar.current, activeElement!)
  }, [bar, told])
}
