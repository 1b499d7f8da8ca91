/**
 * The ref of a button that is gone once it has done its work: if it has the focus then, the page's heading gets
 * it. A constant, as a new ref at each render would end at each.
 */
export const leaveFocusToHeading = (button: HTMLButtonElement) => () => {
  if (document.activeElement === button)
    button.closest('.page')?.querySelector('h1')?.focus({ preventScroll: true })
}
