// Dragging lines by their handle; pointer events cover mouse, pen and touch.
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { chosenRows, moveRows, moveTo } from './grid.ts'
import type { GridControl } from './use-grid.ts'

/** Auto-scroll when the pointer is this close to the edge of the visible area. */
const EDGE_PX = 36
const STEP_PX = 14

export interface Drag {
  /** The dragged lines would go above this one; null if nothing is dragged. */
  readonly drop: number | null
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onPointerMove: (event: PointerEvent) => void
  readonly onPointerUp: (event: PointerEvent) => void
  readonly onPointerCancel: () => void
}

export function useDrag(
  { act, now }: GridControl,
  scroller: RefObject<HTMLElement | null>,
  onDrop: () => void,
): Drag {
  const [drop, setDrop] = useState<number | null>(null)
  const pointer = useRef({ x: 0, y: 0 })
  const place = () => {
    const line = document
      .elementFromPoint(pointer.current.x, pointer.current.y)
      ?.closest<HTMLElement>('[data-row]')
    if (!line) return
    const box = line.getBoundingClientRect()
    setDrop(Number(line.dataset['row']) + (pointer.current.y > box.top + box.height / 2 ? 1 : 0))
  }
  const isDragging = drop !== null
  useEffect(() => {
    if (!isDragging) return
    let frame = requestAnimationFrame(function step() {
      const box = scroller.current?.getBoundingClientRect()
      const { y } = pointer.current
      const by = !box ? 0 : y < box.top + EDGE_PX ? -STEP_PX : y > box.bottom - EDGE_PX ? STEP_PX : 0
      if (by !== 0) {
        scroller.current?.scrollBy(0, by)
        place()
      }
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [isDragging, scroller])
  return {
    drop,
    onPointerDown: (event) => {
      if (!(event.target instanceof Element) || !event.target.closest('[data-grip]') || event.button !== 0)
        return
      const at = Number(event.target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? Number.NaN)
      if (Number.isNaN(at)) return
      event.preventDefault()
      const [from, to] = chosenRows(now())
      if (at < from || at > to) act((grid) => moveTo(grid, { row: at, col: grid.cursor.col }))
      event.currentTarget.setPointerCapture(event.pointerId)
      pointer.current = { x: event.clientX, y: event.clientY }
      setDrop(at)
    },
    onPointerMove: (event) => {
      if (drop === null) return
      pointer.current = { x: event.clientX, y: event.clientY }
      place()
    },
    onPointerUp: (event) => {
      if (drop === null) return
      event.currentTarget.releasePointerCapture(event.pointerId)
      const [from, to] = chosenRows(now())
      setDrop(null)
      onDrop()
      act((grid) => moveRows(grid, drop <= from ? drop : Math.max(from, drop - (to - from + 1))))
    },
    onPointerCancel: () => setDrop(null),
  }
}
