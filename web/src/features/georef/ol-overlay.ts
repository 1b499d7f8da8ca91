// The scan overlaid on the map while points are being set: flat pieces of the mesh, drawn from a downscaled
// picture of the scan.
import Layer from 'ol/layer/Layer.js'
import type OlMap from 'ol/Map.js'
import type { FrameState } from 'ol/Map.js'
import type { Mesh } from '#domain/georef/mesh.ts'
import { CanvasPainter } from './overlay-2d.ts'
import { glPainter } from './overlay-gl.ts'
import type { Painter } from './overlay-painter.ts'
import type { ScanImage } from './scan-picture.ts'

export class ScanOverlay {
  readonly #map: OlMap
  readonly #canvas = document.createElement('canvas')
  /** Wraps the canvas: if the map got back a canvas, it would draw its next layer on it. */
  readonly #frame = document.createElement('div')
  readonly #painter: Painter
  readonly #layer: Layer
  #picture: ScanImage | null = null
  #opacity = 0.6
  /** Share of the pane, from its left edge, on which the scan is drawn. */
  #swipe = 1

  constructor(map: OlMap) {
    this.#map = map
    this.#canvas.className = 'georef-auflage'
    this.#frame.className = 'georef-auflage-rahmen'
    this.#frame.append(this.#canvas)
    this.#painter = glPainter(this.#canvas) ?? new CanvasPainter(this.#canvas)
    this.#layer = new Layer({ render: (frame) => this.#render(frame), zIndex: 5 })
    map.addLayer(this.#layer)
  }

  dispose(): void {
    this.#map.removeLayer(this.#layer)
    this.#painter.dispose()
  }
  show(visible: boolean, opacity: number, swipe: number): void {
    this.#layer.setVisible(visible)
    this.#opacity = opacity
    this.#swipe = swipe
    this.#layer.changed()
  }

  setPicture(picture: ScanImage): void {
    this.#picture = picture
    this.#painter.setPicture(picture)
    this.#layer.changed()
  }

  /** `toView`: from the plan's system to the view's. Null: no transformation fits, and nothing is shown. */
  setMesh(
    mesh: Mesh | null,
    toView: ((ort: readonly [number, number]) => readonly [number, number]) | null,
  ): void {
    this.#layer.changed()
    if (this.#picture === null) return
    const inView =
      mesh === null || toView === null
        ? null
        : {
            ...mesh,
            orte: mesh.orte.map((ort) =>
              ort.every(Number.isFinite) ? toView(ort) : ([Number.NaN, Number.NaN] as const),
            ),
          }
    this.#painter.setMesh(inView, this.#picture)
  }

  #render({ size, pixelRatio, viewState: { center, resolution } }: FrameState): HTMLElement {
    const canvas = this.#canvas
    const [width, height] = [Math.round((size[0] ?? 0) * pixelRatio), Math.round((size[1] ?? 0) * pixelRatio)]
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
    this.#painter.male({
      breite: width,
      hoehe: height,
      center: [center[0]!, center[1]!],
      aufloesung: resolution / pixelRatio,
      opacity: this.#opacity,
      swipe: this.#swipe,
    })
    return this.#frame
  }
}
