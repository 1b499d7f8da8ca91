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
export const tokensAt = <N extends string>(target: HTMLElement, names: readonly N[]): Record<N, string> =>
  coloursAt(target, Object.fromEntries(names.map((name) => [name, `var(--${name})`])) as Record<N, string>)

/** Same for colours as CSS writes them: tokens, or pairs of light and dark. */
export function coloursAt<N extends string>(
  target: HTMLElement,
  colours: Readonly<Record<N, string>>,
): Record<N, string> {
  const probe = document.createElement('span')
  target.append(probe)
  const entries = Object.entries<string>(colours).map(([name, color]) => {
    probe.style.color = color
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(entries) as Record<N, string>
}
