// Which pixels of a scan are a sheet, as one bit for each, the first in the lowest. What is none is transparent in
// all that is made of the scan.
export type Present = Uint8Array

export const markPresent = (present: Present, pixel: number): void => {
  present[pixel >> 3]! |= 1 << (pixel & 7)
}
/** Null: all of them. */
export function presentOf(pixels: number, isThere: (pixel: number) => boolean): Present | null {
  const present = new Uint8Array(Math.ceil(pixels / 8))
  let all = true
  for (let pixel = 0; pixel < pixels; pixel++)
    if (isThere(pixel)) markPresent(present, pixel)
    else all = false
  return all ? null : present
}

export const isPresent = (present: Present, pixel: number): boolean =>
  (present[pixel >> 3]! & (1 << (pixel & 7))) !== 0
