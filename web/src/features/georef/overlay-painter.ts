// Who draws the scan over the map: the graphics card, or where the browser has none for us, the canvas.
import type { Mesh } from '#domain/georef/mesh.ts'
import type { ScanImage } from './scan-picture.ts'

export interface Cutout {
  /** Pixels of the canvas. */
  readonly breite: number
  readonly hoehe: number
  readonly center: readonly [number, number]
  /** Units of the view per pixel of the canvas. */
  readonly aufloesung: number
  /** Both shares of one: how strong, and how much of the pane from its left edge. */
  readonly opacity: number
  readonly swipe: number
}

export interface Painter {
  setPicture(bild: ScanImage): void
  /** Places in the system of the view; without one that is finite they are left out. Null: nothing is shown. */
  setMesh(mesh: Mesh | null, bild: ScanImage): void
  male(cutout: Cutout): void
  dispose(): void
}
