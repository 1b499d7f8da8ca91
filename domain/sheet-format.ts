// The format of a sheet, as far as its scan shows it: pixels and pixels per inch.

/** Shorter and longer edge in millimetres. */
const FORMATS = [
  ['A0', 841, 1189],
  ['A1', 594, 841],
  ['A2', 420, 594],
  ['A3', 297, 420],
  ['A4', 210, 297],
] as const
/** Sheets are trimmed, and scanned with a margin. */
const TOLERANCE = 0.05
const MM_PER_INCH = 25.4

/** Null: the scan does not state its resolution. */
export function dinOf(
  width: number,
  height: number,
  dpi: number | null,
): (typeof FORMATS)[number][0] | 'sonstige' | null {
  if (dpi === null || !(dpi > 0)) return null
  const [short, long] = [Math.min(width, height), Math.max(width, height)].map(
    (pixels) => (pixels / dpi) * MM_PER_INCH,
  ) as [number, number]
  const near = (length: number, wanted: number) => Math.abs(length - wanted) <= wanted * TOLERANCE
  return FORMATS.find(([, a, b]) => near(short, a) && near(long, b))?.[0] ?? 'sonstige'
}
