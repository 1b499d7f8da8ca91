// Forms with a text that is too long are not sent (longest.ts): before any of them hears of it, the first such
// field is focused.
import { TOO_LONG } from './longest.ts'

/** Answers how to stop. */
export function refuseTooLong(): () => void {
  const refuse = (event: Event) => {
    const { elements } = event.target as HTMLFormElement
    const first = [...elements].find((element) => element.hasAttribute(TOO_LONG))
    if (!(first instanceof HTMLElement)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    first.focus()
  }
  document.addEventListener('submit', refuse, { capture: true })
  return () => document.removeEventListener('submit', refuse, { capture: true })
}
