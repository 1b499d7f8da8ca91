import type { Router } from '../routing/router.ts'

/**
 * Marks the pressed link, button or row until what it leads to is drawn, so that a press is answered in the next
 * frame however long the page takes. Returns the way to stop.
 */
export function markPressed(router: Router): () => void {
  let pressed: Element | null = null
  const show = (going: boolean) => pressed?.toggleAttribute('data-going', going)
  const mark = ({ target }: MouseEvent) => {
    show(false)
    pressed = router.isGoing && target instanceof Element ? target.closest('a, button, tr') : null
    show(true)
  }
  const stop = router.onShown(() => show(false))
  // On the window: after everything that may navigate.
  window.addEventListener('click', mark)
  return () => {
    show(false)
    stop()
    window.removeEventListener('click', mark)
  }
}
