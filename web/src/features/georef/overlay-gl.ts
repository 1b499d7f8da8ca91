// Draws the mesh with WebGL.
import { trianglesOf, type Mesh } from '#domain/georef/mesh.ts'
import type { Cutout, Painter } from './overlay-painter.ts'
import type { ScanImage } from './scan-picture.ts'

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

type Gl = WebGLRenderingContext | WebGL2RenderingContext

/** Null if the browser offers no WebGL. */
export function glPainter(canvas: HTMLCanvasElement): Painter | null {
  const wanted: WebGLContextAttributes = { alpha: true, premultipliedAlpha: true, antialias: true }
  const gl = (canvas.getContext('webgl2', wanted) ?? canvas.getContext('webgl', wanted)) as Gl | null
  return gl === null ? null : new GlPainter(gl)
}

class GlPainter implements Painter {
  readonly #gl: Gl
  #texture: WebGLTexture | null = null
  #buffer: WebGLBuffer | null = null
  #program: WebGLProgram | null = null
  #count = 0
  #anchor: readonly [number, number] = [0, 0]

  constructor(gl: Gl) {
    this.#gl = gl
  }

  dispose(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext()
  }

  setPicture(picture: ScanImage): void {
    const gl = this.#gl
    this.#texture ??= gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture.canvas)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
    const smooth = 'texStorage2D' in gl
    if (smooth) gl.generateMipmap(gl.TEXTURE_2D)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smooth ? gl.LINEAR_MIPMAP_LINEAR : gl.LINEAR)
  }

  setMesh(mesh: Mesh | null, picture: ScanImage): void {
    const gl = this.#gl
    this.#count = 0
    if (mesh === null) return
    const corners = trianglesOf(mesh)
    const [first] = corners
    if (first === undefined) return
    // GPUs compute with about seven digits, so places are stored relative to one of them.
    this.#anchor = mesh.orte[first]!
    const wide = mesh.spalten.length
    const values = new Float32Array(corners.length * 4)
    corners.forEach((corner, i) => {
      const [x, y] = mesh.orte[corner]!
      values[4 * i] = x - this.#anchor[0]
      values[4 * i + 1] = y - this.#anchor[1]
      values[4 * i + 2] = (mesh.spalten[corner % wide]! * picture.anteil) / picture.canvas.width
      values[4 * i + 3] = (mesh.zeilen[Math.floor(corner / wide)]! * picture.anteil) / picture.canvas.height
    })
    this.#program ??= programOf(gl)
    gl.bindBuffer(gl.ARRAY_BUFFER, (this.#buffer ??= gl.createBuffer()))
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW)
    this.#count = corners.length
  }

  male({ breite, hoehe, center, aufloesung, opacity, swipe }: Cutout): void {
    const gl = this.#gl
    gl.viewport(0, 0, breite, hoehe)
    gl.disable(gl.SCISSOR_TEST)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    if (this.#count === 0 || this.#program === null || this.#texture === null) return
    gl.enable(gl.SCISSOR_TEST)
    gl.scissor(0, 0, Math.round(breite * swipe), hoehe)
    gl.useProgram(this.#program)
    const place = (name: string) => gl.getUniformLocation(this.#program!, name)
    gl.uniform2f(place('mitte'), this.#anchor[0] - center[0], this.#anchor[1] - center[1])
    gl.uniform2f(place('masstab'), 2 / (breite * aufloesung), 2 / (hoehe * aufloesung))
    gl.uniform1f(place('deckung'), opacity)
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
