// The scan laid over the map while points are being set: flat pieces of the net, drawn by the graphics card from a small picture of the scan.
import Layer from 'ol/layer/Layer.js'
import type OlMap from 'ol/Map.js'
import type { FrameState } from 'ol/Map.js'
import { dreiecke, type Netz } from '#domain/georef/netz.ts'
import { KACHEL } from '#contract/karte-dateien.ts'
import { fetchKachel, type ScanQuelle, scanAufloesungen } from '../../karte/ol-quellen.ts'

/** Longer edge of the picture of the scan; every card takes as much. */
const PICTURE = 4096

const VERTEX = `
attribute vec2 ort;
attribute vec2 bild;
uniform vec2 mitte;
uniform vec2 masstab;
varying vec2 stelle;
void main() {
  stelle = bild;
  gl_Position = vec4((ort + mitte) * masstab, 0.0, 1.0);
}`
const FRAGMENT = `
precision mediump float;
uniform sampler2D scan;
uniform float deckung;
varying vec2 stelle;
void main() {
  gl_FragColor = texture2D(scan, stelle) * deckung;
}`

/** Part of the scan's picture, from tiles of the finest level that fits. */
export interface ScanBild {
  readonly canvas: HTMLCanvasElement
  /** Pixels of the picture per pixel of the scan. */
  readonly anteil: number
}

/** First the whole scan in one tile, then finer: something is to be seen at once. */
export async function loadScanBild(scan: ScanQuelle, signal: AbortSignal, onBild: (bild: ScanBild) => void): Promise<void> {
  const resolutions = scanAufloesungen(scan)
  const longest = Math.max(scan.breite, scan.hoehe)
  const fine = Math.max(
    0,
    resolutions.findLastIndex((resolution) => longest / resolution <= PICTURE),
  )
  for (const level of fine === 0 ? [0] : [0, fine]) {
    const resolution = resolutions[level]!
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(scan.breite / resolution)
    canvas.height = Math.ceil(scan.hoehe / resolution)
    const context = canvas.getContext('2d')!
    const tiles: [number, number][] = []
    for (let y = 0; y * KACHEL < canvas.height; y++) for (let x = 0; x * KACHEL < canvas.width; x++) tiles.push([x, y])
    // A few at a time: the pane beside it asks for tiles as well.
    const fetchNext = async (): Promise<void> => {
      for (let tile = tiles.pop(); tile !== undefined; tile = tiles.pop()) {
        const [x, y] = tile
        const picture = await fetchKachel(scan.kachel(level, x, y), KACHEL, signal)
        context.drawImage(picture, x * KACHEL, y * KACHEL)
      }
    }
    await Promise.all(Array.from({ length: 4 }, fetchNext))
    if (signal.aborted) return
    onBild({ canvas, anteil: 1 / resolution })
  }
}

export class Auflage {
  readonly #map: OlMap
  readonly #canvas = document.createElement('canvas')
  readonly #gl: WebGLRenderingContext | WebGL2RenderingContext | null
  readonly #layer: Layer
  #bild: ScanBild | null = null
  #texture: WebGLTexture | null = null
  #count = 0
  #anchor: readonly [number, number] = [0, 0]
  #program: WebGLProgram | null = null
  #deckung = 0.6
  /** Share of the pane, from its left edge, on which the scan is drawn. */
  #wisch = 1

  constructor(map: OlMap) {
    this.#map = map
    this.#canvas.className = 'georef-auflage'
    const wanted: WebGLContextAttributes = { alpha: true, premultipliedAlpha: true, antialias: true }
    this.#gl = (this.#canvas.getContext('webgl2', wanted) ?? this.#canvas.getContext('webgl', wanted)) as
      | WebGLRenderingContext
      | WebGL2RenderingContext
      | null
    this.#layer = new Layer({ render: (frame) => this.#render(frame), zIndex: 5 })
    map.addLayer(this.#layer)
  }

  /** Without a graphics card the scan cannot be laid over; everything else goes on. */
  get geht(): boolean {
    return this.#gl !== null
  }
  schliessen(): void {
    this.#map.removeLayer(this.#layer)
    this.#gl?.getExtension('WEBGL_lose_context')?.loseContext()
  }
  set sichtbar(visible: boolean) {
    this.#layer.setVisible(visible)
  }
  zeige(deckung: number, wisch: number): void {
    this.#deckung = deckung
    this.#wisch = wisch
    this.#layer.changed()
  }

  setBild(bild: ScanBild): void {
    this.#bild = bild
    const gl = this.#gl
    if (gl === null) return
    this.#texture ??= gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bild.canvas)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
    const smooth = 'texStorage2D' in gl
    if (smooth) gl.generateMipmap(gl.TEXTURE_2D)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smooth ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR)
    this.#layer.changed()
  }

  /** `zurAnsicht`: from the plan's system to that of the view. Null: nothing fits, nothing is shown. */
  setNetz(netz: Netz | null, zurAnsicht: ((ort: readonly [number, number]) => readonly [number, number]) | null): void {
    const [gl, bild] = [this.#gl, this.#bild]
    this.#count = 0
    this.#layer.changed()
    if (gl === null || bild === null || netz === null || zurAnsicht === null) return
    const orte = netz.orte.map((ort) => (ort.every(Number.isFinite) ? zurAnsicht(ort) : ([Number.NaN, Number.NaN] as const)))
    const corners = dreiecke({ ...netz, orte })
    const [first] = corners
    if (first === undefined) return
    // Cards reckon with seven digits: places are told from one of them.
    this.#anchor = orte[first]!
    const wide = netz.spalten.length
    const values = new Float32Array(corners.length * 4)
    corners.forEach((corner, i) => {
      const [x, y] = orte[corner]!
      values[4 * i] = x - this.#anchor[0]
      values[4 * i + 1] = y - this.#anchor[1]
      values[4 * i + 2] = (netz.spalten[corner % wide]! * bild.anteil) / bild.canvas.width
      values[4 * i + 3] = (netz.zeilen[Math.floor(corner / wide)]! * bild.anteil) / bild.canvas.height
    })
    this.#program ??= programOf(gl)
    gl.bindBuffer(gl.ARRAY_BUFFER, (this.#buffer ??= gl.createBuffer()))
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW)
    this.#count = corners.length
  }
  #buffer: WebGLBuffer | null = null

  #render({ size, pixelRatio, viewState: { center, resolution } }: FrameState): HTMLElement {
    const [gl, canvas] = [this.#gl, this.#canvas]
    const [width, height] = [Math.round((size[0] ?? 0) * pixelRatio), Math.round((size[1] ?? 0) * pixelRatio)]
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
    if (gl === null) return canvas
    gl.viewport(0, 0, width, height)
    gl.disable(gl.SCISSOR_TEST)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    if (this.#count === 0 || this.#program === null || this.#texture === null) return canvas
    gl.enable(gl.SCISSOR_TEST)
    gl.scissor(0, 0, Math.round(width * this.#wisch), height)
    gl.useProgram(this.#program)
    const place = (name: string) => gl.getUniformLocation(this.#program!, name)
    gl.uniform2f(place('mitte'), this.#anchor[0] - center[0]!, this.#anchor[1] - center[1]!)
    gl.uniform2f(place('masstab'), 2 / ((size[0] ?? 1) * resolution), 2 / ((size[1] ?? 1) * resolution))
    gl.uniform1f(place('deckung'), this.#deckung)
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer)
    for (const [name, offset] of [
      ['ort', 0],
      ['bild', 8],
    ] as const) {
      const at = gl.getAttribLocation(this.#program, name)
      gl.enableVertexAttribArray(at)
      gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 16, offset)
    }
    gl.drawArrays(gl.TRIANGLES, 0, this.#count)
    return canvas
  }
}

function programOf(gl: WebGLRenderingContext): WebGLProgram {
  const program = gl.createProgram()
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind)!
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program) ?? 'the program of the overlay does not link')
  return program
}
