// Moves the handle of the settings panel away from what can be pressed under it.
import { type RefObject, useEffect, useState } from 'react'
import { freeTop } from '../../ui/free-place.ts'

const BUTTONS = 'a[href], button, input, select, textarea, summary, [role="button"], [tabindex="0"]'
/** In pixels; nothing that can be pressed starts closer. */
const GAP = 4
/** Once scrolling and drawing have paused. */
const PAUSE_MS = 120

export function useFreePlace(handle: RefObject<HTMLElement | null>, wanted: number): number {
  const [top, setTop] = useState(wanted)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      const own = handle.current
      if (!own) return
      const { left, height } = own.getBoundingClientRect()
      const taken = [...document.querySelectorAll(BUTTONS)]
        .filter((element) => element !== own && !element.matches('.table-scroll'))
        .map((element) => element.getBoundingClientRect())
        .filter((box) => box.right > left && box.height > 0 && box.bottom > 0 && box.top < innerHeight)
        .map((box) => ({ top: box.top - GAP, bottom: box.bottom + GAP }))
      setTop(freeTop(Math.min(wanted, innerHeight - 56), { size: height, height: innerHeight, taken }))
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(look, PAUSE_MS)
    }
    soon()
    const watch = new MutationObserver(soon)
    watch.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('resize', soon)
    document.addEventListener('scroll', soon, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      watch.disconnect()
      window.removeEventListener('resize', soon)
      document.removeEventListener('scroll', soon, { capture: true })
    }
  }, [handle, wanted])
  return top
}
