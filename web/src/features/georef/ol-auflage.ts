// The scan laid over the map while points are being set: flat pieces of the net, drawn from a small picture of the scan.
import Layer from 'ol/layer/Layer.js'
import type OlMap from 'ol/Map.js'
import type { FrameState } from 'ol/Map.js'
import type { Netz } from '#domain/georef/netz.ts'
import { CanvasMaler } from './auflage-2d.ts'
import { glMaler } from './auflage-gl.ts'
import type { Maler } from './auflage-maler.ts'
import type { ScanBild } from './scan-bild.ts'

export class Auflage {
  readonly #map: OlMap
  readonly #canvas = document.createElement('canvas')
  /** Around the canvas: what the map gets back as a canvas it would draw its next layer on. */
  readonly #frame = document.createElement('div')
  readonly #maler: Maler
  readonly #layer: Layer
  #bild: ScanBild | null = null
  #deckung = 0.6
  /** Share of the pane, from its left edge, on which the scan is drawn. */
  #wisch = 1

  constructor(map: OlMap) {
    this.#map = map
    this.#canvas.className = 'georef-auflage'
    this.#frame.className = 'georef-auflage-rahmen'
    this.#frame.append(this.#canvas)
    this.#maler = glMaler(this.#canvas) ?? new CanvasMaler(this.#canvas)
    this.#layer = new Layer({ render: (frame) => this.#render(frame), zIndex: 5 })
    map.addLayer(this.#layer)
  }

  schliessen(): void {
    this.#map.removeLayer(this.#layer)
    this.#maler.schliessen()
  }
  zeige(sichtbar: boolean, deckung: number, wisch: number): void {
    this.#layer.setVisible(sichtbar)
    this.#deckung = deckung
    this.#wisch = wisch
    this.#layer.changed()
  }

  setBild(bild: ScanBild): void {
    this.#bild = bild
    this.#maler.setBild(bild)
    this.#layer.changed()
  }

  /** `zurAnsicht`: from the plan's system to that of the view. Null: nothing fits, nothing is shown. */
  setNetz(netz: Netz | null, zurAnsicht: ((ort: readonly [number, number]) => readonly [number, number]) | null): void {
    this.#layer.changed()
    if (this.#bild === null) return
    const inView =
      netz === null || zurAnsicht === null
        ? null
        : { ...netz, orte: netz.orte.map((ort) => (ort.every(Number.isFinite) ? zurAnsicht(ort) : ([Number.NaN, Number.NaN] as const))) }
    this.#maler.setNetz(inView, this.#bild)
  }

  #render({ size, pixelRatio, viewState: { center, resolution } }: FrameState): HTMLElement {
    const canvas = this.#canvas
    const [breite, hoehe] = [Math.round((size[0] ?? 0) * pixelRatio), Math.round((size[1] ?? 0) * pixelRatio)]
    if (canvas.width !== breite || canvas.height !== hoehe) [canvas.width, canvas.height] = [breite, hoehe]
    this.#maler.male({
      breite,
      hoehe,
      mitte: [center[0]!, center[1]!],
      aufloesung: resolution / pixelRatio,
      deckung: this.#deckung,
      wisch: this.#wisch,
    })
    return this.#frame
  }
}
