// The nearest corner of some lines, else the nearest place on one of them.
type Ort = readonly [x: number, y: number]

/** Null: nothing within reach. A corner wins over a line, even where the line is nearer: it is what was aimed at. */
export function fang([x, y]: Ort, lines: readonly (readonly Ort[])[], reach: number): Ort | null {
  let [corner, cornerFar] = [null as Ort | null, reach]
  let [edge, edgeFar] = [null as Ort | null, reach]
  for (const line of lines)
    line.forEach((to, i) => {
      const far = Math.hypot(to[0] - x, to[1] - y)
      if (far <= cornerFar) [corner, cornerFar] = [to, far]
      const from = line[i - 1]
      if (from === undefined) return
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
      const square = dx * dx + dy * dy
      if (square === 0) return
      const share = Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / square))
      const foot: Ort = [from[0] + share * dx, from[1] + share * dy]
      const beside = Math.hypot(foot[0] - x, foot[1] - y)
      if (beside <= edgeFar) [edge, edgeFar] = [foot, beside]
    })
  return corner ?? edge
}
