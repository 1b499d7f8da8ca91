// Where a kept page was scrolled to. The router brings the window to the top for a new page and back for back and forward; here a page that comes back from
// the background by a link or its tab returns to where it was left.
import { useEffect, useRef } from 'react'
import { useRouter } from '../routing/RouterProvider.tsx'

const scrolled = new Map<string, number>()

export function useKeptScroll(keeps: (path: string) => boolean) {
  const router = useRouter()
  const isKept = useRef(keeps)
  useEffect(() => {
    isKept.current = keeps
  })
  useEffect(() => {
    const stops = [
      router.onLeave(({ pathname }) => scrolled.set(pathname, window.scrollY)),
      router.onShown(({ place, pathChanged, byHistory }) => {
        if (!pathChanged || byHistory || place.hash !== '') return
        const top = isKept.current(place.pathname) ? scrolled.get(place.pathname) : undefined
        if (top !== undefined) window.scrollTo({ top, behavior: 'instant' })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
}
