// One handler for all links: a plain click on an address of ours becomes a navigation within the application.
// They remain real links for the keyboard, the middle button and "open in new tab".
import { useEffect } from 'react'
import { useRouter } from '../routing/RouterProvider.tsx'

/** The address to navigate to; undefined if the browser should handle the click. */
export function targetOfPress(event: MouseEvent, origin: string): string | undefined {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  )
    return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (
    !link?.href ||
    (link.target && link.target !== '_self') ||
    link.hasAttribute('download') ||
    link.hasAttribute('data-native')
  )
    return undefined
  const url = new URL(link.href)
  return url.origin === origin ? url.pathname + url.search + url.hash : undefined
}

export function useLinks() {
  const router = useRouter()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const target = targetOfPress(event, location.origin)
      if (target === undefined) return
      event.preventDefault()
      router.navigate(target)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [router])
}
