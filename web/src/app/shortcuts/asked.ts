// The user menu's wish to see the table of shortcuts, whose code follows the first page.

let isAsked = false

export function askForShortcuts() {
  isAsked = true
  document.dispatchEvent(new Event('shortcuts'))
}
/** Whether it was asked for and not shown yet; from now on it is not. */
export function takeAsked(): boolean {
  const was = isAsked
  isAsked = false
  return was
}
