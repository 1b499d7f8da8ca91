// What is typed after the keys that open the search and before its field is there, whose code is loaded on first use.

/** If the code cannot be loaded, keys belong to the page again. */
const MOST_MS = 10_000
let end: (() => string) | null = null

export function collectTyping(): void {
  if (end !== null) return
  let text = ''
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
    if (isShortcut || (key.length > 1 && !['Backspace', 'Enter', 'Escape'].includes(key))) return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Backspace') text = text.slice(0, -1)
    else if (key === 'Escape') text = ''
    else if (key.length === 1) text += key
  }
  document.addEventListener('keydown', onKey, { capture: true })
  const timer = setTimeout(typedEarly, MOST_MS)
  end = () => {
    clearTimeout(timer)
    document.removeEventListener('keydown', onKey, { capture: true })
    return text
  }
}

/** Ends collecting. */
export function typedEarly(): string {
  const text = end?.() ?? ''
  end = null
  return text
}
