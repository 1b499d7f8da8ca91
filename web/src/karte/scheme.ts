// Light or dark: what is painted on a canvas has to hear of it, and reads the page's colours itself.

/** Calls back when the page becomes light or dark; returns what ends it. */
export function onScheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const page = new MutationObserver(changed)
  page.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
  system.addEventListener('change', changed)
  return () => {
    page.disconnect()
    system.removeEventListener('change', changed)
  }
}

/** What the page's tokens are at this element, in the scheme that holds there; never halfway between two. */
export function tokensAt<N extends string>(target: HTMLElement, names: readonly N[]): Record<N, string> {
  const probe = document.createElement('span')
  target.append(probe)
  const entries = names.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(entries) as Record<N, string>
}
