// Cuts a text that comes in pieces into lines. What has come is neither copied nor searched again with each piece:
// a line of megabytes would take time with the square of its length.

export interface LineSplitter {
  /** The lines that this piece ends. */
  take(piece: string): string[]
  /** What has come after the last line feed. */
  rest(): string
}

export function createLineSplitter(): LineSplitter {
  let begun: string[] = []
  return {
    take(piece) {
      const [first = '', ...more] = piece.split('\n')
      begun.push(first)
      const last = more.pop()
      if (last === undefined) return []
      const lines = [begun.join(''), ...more]
      begun = [last]
      return lines
    },
    rest: () => begun.join(''),
  }
}
