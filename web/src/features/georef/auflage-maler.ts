// Who draws the scan over the map: the graphics card, or where the browser has none for us, the canvas.
import type { Netz } from '#domain/georef/netz.ts'
import type { ScanBild } from './scan-bild.ts'

export interface Ausschnitt {
  /** Pixels of the canvas. */
  readonly breite: number
  readonly hoehe: number
  readonly mitte: readonly [number, number]
  /** Units of the view per pixel of the canvas. */
  readonly aufloesung: number
  /** Both shares of one: how strong, and how much of the pane from its left edge. */
  readonly deckung: number
  readonly wisch: number
}

export interface Maler {
  setBild(bild: ScanBild): void
  /** Places in the system of the view; without one that is finite they are left out. Null: nothing is shown. */
  setNetz(netz: Netz | null, bild: ScanBild): void
  male(ausschnitt: Ausschnitt): void
  schliessen(): void
}
