// Interface of what draws the scan over the map: WebGL, or a 2D canvas where it is not available.
import type { Mesh } from '#domain/georef/mesh.ts'
import type { ScanImage } from './scan-picture.ts'

export interface Cutout {
  /** Pixels of the canvas. */
  readonly breite: number
  readonly hoehe: number
  readonly center: readonly [number, number]
  /** View units per pixel of the canvas. */
  readonly aufloesung: number
  /** Fractions of one: opacity, and the visible part of the pane from its left edge. */
  readonly opacity: number
  readonly swipe: number
}

export interface Painter {
  setPicture(picture: ScanImage): void
  /** Places in the view's system; triangles with a non-finite place are left out. Null: nothing is shown. */
  setMesh(mesh: Mesh | null, picture: ScanImage): void
  male(cutout: Cutout): void
  dispose(): void
}
