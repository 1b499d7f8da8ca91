// What drawing pixels of the map from pixels of the scan is about: the picture, the kernels, the places.

import type { Present } from './present.ts'

/** Pixels row by row, one to four channels each. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
  /** Left out if all of it is a sheet. */
  readonly present?: Present
}

/** Pixels of the scan per pixel of the map, along its columns and along its rows. */
export type Ratio = readonly [across: number, down: number]

/** Sixteen by sixteen pixels of the map: where on the scan they are, and how large one of them is there. */
export interface Cell {
  readonly left: number
  readonly right: number
  readonly upper: number
  readonly lower: number
  readonly size: Ratio
}

export interface Sampling {
  /** Writes the value at a place of the scan, one byte per channel. */
  readonly sample: (x: number, y: number, into: Uint8Array, at: number) => void
  /** Called before the pixels of a cell. */
  readonly enter?: (cell: Cell) => void
}
export type Sample = Sampling['sample']

export interface Kernel {
  readonly radius: number
  weight(distance: number): number
}

/** Weights of the pixels around a place, for places a fraction of a pixel apart. */
export interface Weights {
  readonly places: number
  readonly reach: number
  /** Of a line in the table: its weights, then zeros. */
  readonly line: number
  readonly table: Int16Array
  /** Of each place, without the zeros at both ends: its first pixel, counted from the pixel left of it … */
  readonly first: Int32Array
  /** … how many there are, and their sum. */
  readonly counts: Int32Array
  readonly sums: Int32Array
}
