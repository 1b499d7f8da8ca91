// Control points on one of the two panes: drawing, selecting, dragging, adding by click. Coordinates are
// those of the pane's view.
import { boundingExtent, containsCoordinate, containsExtent, getHeight, getWidth } from 'ol/extent.js'
import Feature from 'ol/Feature.js'
import LineString from 'ol/geom/LineString.js'
import Point from 'ol/geom/Point.js'
import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import PointerInteraction from 'ol/interaction/Pointer.js'
import VectorLayer from 'ol/layer/Vector.js'
import type MapBrowserEvent from 'ol/MapBrowserEvent.js'
import type OlMap from 'ol/Map.js'
import VectorSource from 'ol/source/Vector.js'
import Circle from 'ol/style/Circle.js'
import Fill from 'ol/style/Fill.js'
import Icon from 'ol/style/Icon.js'
import RegularShape from 'ol/style/RegularShape.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'

export type Place = readonly [x: number, y: number]
export interface PointMark {
  readonly id: number
  readonly nr: number
  readonly ort: Place
  readonly art: 'benutzt' | 'aus' | 'schlecht'
  readonly gewaehlt: boolean
  /** Direction and length of the error in the view; scaled for display so that the largest is visible. */
  readonly fehler: Place | null
}
export interface PointHandlers {
  readonly setPoint: (ort: Place) => void
  readonly pick: (id: number | null) => void
  /** `dragKey` is the same for all moves of one drag. */
  readonly drag: (id: number, ort: Place, dragKey: string) => void
  readonly display: (ort: Place | null) => void
  /** Where a click or drag ends: on an own object nearby, else unchanged. */
  readonly snap: (ort: Place, pixel: Place) => Place
}

// Readable on paper and on aerial pictures: strong colours with a white rim, the same in both colour schemes.
const COLOURS = { benutzt: '#0b4f9e', schlecht: '#b3261e', aus: '#5d6658', forecast: '#7a2fa0' } as const
const HIT_PX = 16
const LONGEST_PX = 46

const cross = (colour: string, width: number, radius: number) =>
  new RegularShape({ points: 4, radius, radius2: 0, stroke: new Stroke({ color: colour, width }), angle: 0 })

/** One cached picture per kind of mark, because a thousand are drawn with every move. */
function mark(art: PointMark['art'], chosen: boolean): Style {
  const [edge, scale] = [34, Math.max(1, devicePixelRatio)]
  const canvas = document.createElement('canvas')
  canvas.width = edge * scale
  canvas.height = edge * scale
  const pen = canvas.getContext('2d')!
  pen.scale(scale, scale)
  const [middle, radius] = [edge / 2, chosen ? 11 : 7]
  pen.beginPath()
  pen.arc(middle, middle, radius, 0, 2 * Math.PI)
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
  ] as const) {
    pen.moveTo(middle - 9 * dx, middle - 9 * dy)
    pen.lineTo(middle + 9 * dx, middle + 9 * dy)
  }
  pen.strokeStyle = 'rgb(255 255 255 / 0.9)'
  pen.lineWidth = chosen ? 6 : 4.5
  pen.stroke()
  pen.strokeStyle = COLOURS[art]
  pen.lineWidth = chosen ? 2.5 : 1.6
  pen.stroke()
  return new Style({ image: new Icon({ img: canvas, width: edge, height: edge }), zIndex: chosen ? 3 : 1 })
}
/** Caches a result by its arguments. */
function kept<Made, Of extends readonly unknown[]>(make: (...of: Of) => Made): (...of: Of) => Made {
  const known = new Map<string, Made>()
  return (...of) => {
    const key = of.join()
    const made = known.get(key) ?? make(...of)
    known.set(key, made)
    return made
  }
}
const DENSE = 150
const label = (nr: number, art: PointMark['art'], chosen: boolean) =>
  new Style({
    text: new Text({
      text: String(nr),
      font: `${chosen ? 700 : 600} 13px "Source Sans", system-ui, sans-serif`,
      offsetX: 16,
      offsetY: -12,
      fill: new Fill({ color: COLOURS[art] }),
      stroke: new Stroke({ color: '#ffffff', width: 4 }),
    }),
    zIndex: chosen ? 3 : 2,
  })
const GHOST = [
  new Style({ image: new Circle({ radius: 13, stroke: new Stroke({ color: '#ffffff', width: 5 }) }) }),
  new Style({
    image: new Circle({
      radius: 13,
      stroke: new Stroke({ color: COLOURS.forecast, width: 2.5, lineDash: [4, 4] }),
    }),
  }),
  new Style({ image: cross(COLOURS.forecast, 1.5, 6) }),
]
const HALF = [
  new Style({ image: cross('#ffffff', 6, 14) }),
  new Style({ image: cross(COLOURS.forecast, 2.5, 14) }),
]
const ERROR_LINE = new Stroke({ color: COLOURS.schlecht, width: 2 })

export class PointLayer {
  readonly map: OlMap
  readonly #handlers: PointHandlers
  readonly #source = new VectorSource()
  readonly #markOf = kept(mark)
  readonly #labelOf = kept(label)
  /** Whether so many points are visible that their numbers would only cover them. */
  #dense = false
  readonly #layer: VectorLayer
  readonly #ghost = new VectorSource()
  readonly #ghosts: VectorLayer
  readonly #pull: PointerInteraction
  readonly #clicks: { readonly end: () => void }
  #pictures: readonly PointMark[] = []
  #largest = 0
  #setting = false
  #pulled: { id: number; dragKey: string; from: readonly number[]; moved: boolean } | null = null
  #pulls = 0

  constructor(map: OlMap, handlers: PointHandlers) {
    this.map = map
    this.#handlers = handlers
    this.#layer = new VectorLayer({
      source: this.#source,
      style: (feature, resolution) => this.#styleOf(feature as Feature<Point>, resolution),
      zIndex: 20,
      updateWhileAnimating: true,
      updateWhileInteracting: true,
    })
    this.#ghosts = new VectorLayer({
      source: this.#ghost,
      zIndex: 21,
      updateWhileAnimating: true,
      updateWhileInteracting: true,
    })
    map.addLayer(this.#layer)
    map.addLayer(this.#ghosts)
    this.#pull = new PointerInteraction({
      handleDownEvent: (event) => this.#down(event),
      handleDragEvent: (event) => this.#drag(event),
      handleUpEvent: () => this.#up(),
      handleMoveEvent: (event) => this.#over(event),
    })
    map.addInteraction(this.#pull)
    const onClick = (event: MapBrowserEvent) => this.#click(event)
    const onLeave = () => handlers.display(null)
    const onMoved = () => {
      const before = this.#dense
      this.#look()
      if (before !== this.#dense) this.#source.changed()
    }
    map.on('click', onClick)
    map.on('moveend', onMoved)
    map.getViewport()?.addEventListener('pointerleave', onLeave)
    this.#clicks = {
      end: () => {
        map.un('click', onClick)
        map.un('moveend', onMoved)
        map.getViewport()?.removeEventListener('pointerleave', onLeave)
      },
    }
  }

  dispose(): void {
    this.#clicks.end()
    this.map.removeInteraction(this.#pull)
    this.map.removeLayer(this.#layer)
    this.map.removeLayer(this.#ghosts)
  }

  show(pictures: readonly PointMark[]): void {
    this.#pictures = pictures
    this.#largest = Math.max(
      0,
      ...pictures.map(({ fehler }) => (fehler === null ? 0 : Math.hypot(...fehler))),
    )
    const known = new Map(
      this.#source.getFeatures().map((feature) => [feature.getId(), feature as Feature<Point>]),
    )
    const fresh: Feature<Point>[] = []
    for (const picture of pictures) {
      const feature = known.get(picture.id)
      known.delete(picture.id)
      if (feature) {
        const before = feature.get('bild') as PointMark
        // Silent: one change event at the end covers all of them.
        feature.set('bild', picture, true)
        if (before.ort[0] !== picture.ort[0] || before.ort[1] !== picture.ort[1])
          feature.getGeometry()?.setCoordinates([...picture.ort])
      } else {
        const made = new Feature({ geometry: new Point([...picture.ort]), bild: picture })
        made.setId(picture.id)
        fresh.push(made)
      }
    }
    this.#source.addFeatures(fresh)
    if (known.size > 0) this.#source.removeFeatures([...known.values()])
    this.#look()
    this.#source.changed()
  }
  #look(): void {
    const seen = this.map.getView().calculateExtent(this.map.getSize())
    let count = 0
    for (const { ort } of this.#pictures) if (containsCoordinate(seen, [...ort])) count++
    this.#dense = count > DENSE
  }

  /** Shows an incomplete point, and where its other half is expected. */
  showHalf(half: Place | null, forecast: Place | null): void {
    this.#ghost.clear()
    const add = (ort: Place | null, styles: Style[]) => {
      if (ort === null || !ort.every(Number.isFinite)) return
      const feature = new Feature(new Point([...ort]))
      feature.setStyle(styles)
      this.#ghost.addFeature(feature)
    }
    add(half, HALF)
    add(forecast, GHOST)
  }

  switchPlacing(setting: boolean): void {
    this.#setting = setting
    // Otherwise two quick clicks would zoom instead of setting two points.
    for (const interaction of this.map.getInteractions().getArray())
      if (interaction instanceof DoubleClickZoom) interaction.setActive(!setting)
    this.map.getTargetElement()?.classList.toggle('georef-setzt', setting)
  }

  /** Centres a place. `closeBy`: resolution to zoom to if the map is further out. */
  goTo(ort: Place, closeBy: number | null = null): void {
    if (!ort.every(Number.isFinite)) return
    const view = this.map.getView()
    const resolution = view.getResolution() ?? 1
    view.cancelAnimations()
    view.animate({
      center: [...ort],
      resolution: closeBy === null ? resolution : Math.min(resolution, closeBy),
      duration: 250,
    })
  }
  center(): Place | null {
    const [x, y] = this.map.getView().getCenter() ?? []
    return x === undefined || y === undefined ? null : [x, y]
  }

  #styleOf(feature: Feature<Point>, resolution: number): Style[] {
    const picture = feature.get('bild') as PointMark
    const { art, gewaehlt, nr, fehler, ort } = picture
    const styles = [this.#markOf(art, gewaehlt)]
    if (gewaehlt || !this.#dense) styles.push(this.#labelOf(nr, art, gewaehlt))
    if (fehler === null || this.#largest < 1e-9) return styles
    const scale = (LONGEST_PX * resolution) / this.#largest
    const end = [ort[0] + fehler[0] * scale, ort[1] + fehler[1] * scale]
    return [new Style({ geometry: new LineString([[...ort], end]), stroke: ERROR_LINE }), ...styles]
  }

  #at(pixel: readonly number[]): PointMark | null {
    let [best, near] = [null as PointMark | null, HIT_PX]
    for (const picture of this.#pictures) {
      const [x, y] = this.map.getPixelFromCoordinate([...picture.ort]) ?? []
      if (x === undefined || y === undefined) continue
      // The selected one wins where points are close together.
      const far = Math.hypot(x - pixel[0]!, y - pixel[1]!) - (picture.gewaehlt ? 4 : 0)
      if (far < near) [best, near] = [picture, far]
    }
    return best
  }
  #down(event: MapBrowserEvent): boolean {
    const hit = (event.originalEvent as PointerEvent).button === 0 ? this.#at(event.pixel) : null
    if (hit === null) return false
    this.#pulled = { id: hit.id, dragKey: `zug ${++this.#pulls} ${hit.id}`, from: event.pixel, moved: false }
    return true
  }
  #drag(event: MapBrowserEvent): void {
    const pulled = this.#pulled
    if (pulled === null) return
    const far = Math.hypot(event.pixel[0]! - pulled.from[0]!, event.pixel[1]! - pulled.from[1]!)
    if (!pulled.moved && far < 4) return
    if (!pulled.moved) this.#handlers.pick(pulled.id)
    pulled.moved = true
    this.#handlers.drag(pulled.id, this.#place(event), pulled.dragKey)
  }
  #up(): boolean {
    this.#pulled = null
    return false
  }
  #over(event: MapBrowserEvent): void {
    if (event.dragging) return
    const [x, y] = event.coordinate
    this.#handlers.display([x!, y!])
    this.map.getTargetElement()?.classList.toggle('georef-trifft', this.#at(event.pixel) !== null)
  }
  #click(event: MapBrowserEvent): void {
    const hit = this.#at(event.pixel)
    if (hit !== null) this.#handlers.pick(hit.id)
    else if (this.#setting) this.#handlers.setPoint(this.#place(event))
    else this.#handlers.pick(null)
  }
  #place({ coordinate: [x, y], pixel: [px, py] }: MapBrowserEvent): Place {
    return this.#handlers.snap([x!, y!], [px!, py!])
  }
}

/** Places within this fraction of the view count as one spot. */
const SPOT = 1 / 15

/** Moves the map so that all places are visible, unless they already are and can be distinguished. */
export function showPlaces(map: OlMap, places: readonly Place[]): void {
  const finite = places.filter((ort) => ort.every(Number.isFinite))
  const view = map.getView()
  const extent = boundingExtent(finite.map((ort) => [...ort]))
  const seen = view.calculateExtent(map.getSize())
  const spot =
    finite.length > 1 &&
    Math.max(getWidth(extent), getHeight(extent)) < SPOT * Math.max(getWidth(seen), getHeight(seen))
  if (finite.length === 0 || (containsExtent(seen, extent) && !spot)) return
  view.fit(extent, { padding: [50, 50, 50, 50], maxZoom: 18, duration: 250 })
}
