// Where a kept page was scrolled to. The router brings the window to the top for a new page and back for back and forward; here a page that comes back from
// the background by a link or its tab returns to where it was left.
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

const scrolled = new Map<string, number>()

export function useKeptScroll(keeps: (path: string) => boolean) {
  const router = useRouter()
  const isKept = useRef(keeps)
  useEffect(() => {
    isKept.current = keeps
  })
  useEffect(() => {
    let byHistory = false
    const stops = [
      router.history.subscribe(({ action }: { action: { type: string } }) => {
        byHistory = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
      }),
      router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) scrolled.set(fromLocation.pathname, window.scrollY)
      }),
      router.subscribe('onRendered', ({ toLocation, pathChanged }) => {
        if (!pathChanged || byHistory || toLocation.hash) return
        const top = isKept.current(toLocation.pathname) ? scrolled.get(toLocation.pathname) : undefined
        if (top !== undefined) window.scrollTo({ top, behavior: 'instant' })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
}
