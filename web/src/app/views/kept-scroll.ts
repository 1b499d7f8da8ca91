// Scroll positions of kept pages. The router handles new pages and back and forward; this restores the
// position of a page that returns from the background through a link or its tab.
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
