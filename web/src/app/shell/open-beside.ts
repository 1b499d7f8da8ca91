// Positions what belongs to an entry of the menu.

/** Positions an element to the right of an entry, moved up at the bottom of the window. */
export function openBeside(floating: HTMLElement, anchor: HTMLElement, gap: number) {
  if (!floating.matches(':popover-open')) floating.showPopover()
  const at = (anchor.closest('.sidebar') ?? anchor).getBoundingClientRect()
  const { top, height } = anchor.getBoundingClientRect()
  const wanted = floating.classList.contains('sidebar-tip') ? top + (height - floating.offsetHeight) / 2 : top
  floating.style.left = `${at.right + gap}px`
  floating.style.top = `${Math.max(8, Math.min(wanted, window.innerHeight - floating.offsetHeight - 8))}px`
}
