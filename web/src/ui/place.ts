// Positions a floating element next to its anchor: below, or above if there is more room; always inside the
// window.

const GAP = 4
const EDGE = 8

export function placeBeside(floating: HTMLElement, anchor: HTMLElement, align: 'start' | 'end' = 'start') {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const below = window.innerHeight - at.bottom - GAP - EDGE
  const above = at.top - GAP - EDGE
  const top = below >= height || below >= above ? at.bottom + GAP : Math.max(EDGE, at.top - GAP - height)
  const wanted = align === 'end' ? at.right - width : at.left
  floating.style.top = `${top}px`
  floating.style.left = `${Math.max(EDGE, Math.min(wanted, window.innerWidth - width - EDGE))}px`
  floating.style.maxHeight = `${Math.max(below, above)}px`
}
