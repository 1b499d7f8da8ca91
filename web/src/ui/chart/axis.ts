// Where the words of a chart have room. Widths are estimated, so that they are known before anything is drawn.

/** Of one letter of the charts' text, on average; digits are narrower. */
const LETTER = 6.8
/** Between two labels below the bars. */
const APART = 10

export const textWidth = (text: string): number => text.length * LETTER

/** Width of the axis at the left, wide enough for its values. */
export const axisWidth = (values: readonly string[]): number =>
  Math.ceil(Math.max(28, ...values.map((value) => textWidth(value) + 14)))

/** Which labels are shown below bars of this width: every n-th, so that none touches another or the edge. */
export function shownLabels(labels: readonly string[], slot: number): boolean[] {
  const widest = Math.max(0, ...labels.map(textWidth))
  const every = Math.max(1, Math.ceil((widest + APART) / slot))
  return labels.map((label, at) => {
    const toEdge = slot * (labels.length - at - 0.5)
    return label !== '' && at % every === 0 && textWidth(label) / 2 <= toEdge
  })
}
