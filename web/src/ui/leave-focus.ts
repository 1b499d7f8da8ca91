// Where the focus goes when what had it is gone: otherwise the next Tab would begin at the top of the page.

/**
 * The ref of a button that is gone once it has done its work: if it has the focus then, the page's heading gets
 * it. A constant, as a new ref at each render would end at each.
 */
export const leaveFocusToHeading = (button: HTMLButtonElement) => () => {
  if (document.activeElement === button)
    button.closest('.page')?.querySelector('h1')?.focus({ preventScroll: true })
}

/**
 * The ref of what takes the place of a part with the focus. On a page that was only loaded none is lost.
 */
export function takeLostFocus(element: HTMLElement | null) {
  const before = document.activeElement
  // What is hidden loses it only with the next picture.
  const isLost = before === document.body || before?.checkVisibility() === false
  if (isLost && navigator.userActivation.hasBeenActive) element?.focus({ preventScroll: true })
}
