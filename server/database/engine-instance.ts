// The WebAssembly instance behind PGlite, which PGlite does not expose: its memory limit, its stack, and its
// cancel flag.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Compiled code, which can be passed to a worker. */
export interface CompiledCode {
  readonly [Symbol.toStringTag]: string
}

interface Global {
  readonly value: number | bigint
}

interface Memory {
  readonly buffer: ArrayBuffer
}

interface Instance {
  readonly exports: unknown
}

/** The part used here; Node's types leave WebAssembly to the browser's types. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<CompiledCode>
  instantiate(code: CompiledCode, imports: object): Promise<Instance>
}

interface Imports {
  readonly env: {
    emscripten_resize_heap(bytes: number): number | boolean
    readonly __memory_base: Global
  }
}

interface Exports {
  emscripten_stack_get_current(): number
  _emscripten_stack_restore(at: number): void
  readonly InterruptPending: Global
  readonly QueryCancelPending: Global
}

/** What PGlite passes to Emscripten, as far as it concerns the instance. */
export interface InstanceOptions {
  wasmMemory?: Memory
  instantiateWasm?: (imports: Imports, done: (instance: Instance, code: CompiledCode) => void) => object
}

/** The engine's code, compiled once and passed to each worker. */
export async function compileEngine(): Promise<CompiledCode> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')))
}

export class EngineInstance {
  readonly #code: CompiledCode
  #memory: Memory | null = null
  #exports: Exports | null = null
  #base = 0
  #ceiling = Number.POSITIVE_INFINITY
  #refused = false

  constructor(code: CompiledCode) {
    this.#code = code
  }

  /** Replaces PGlite's own way of creating the instance. */
  attach(options: InstanceOptions, failed: (error: unknown) => void): void {
    this.#memory = options.wasmMemory ?? null
    options.instantiateWasm = (imports, done) => {
      const grow = imports.env.emscripten_resize_heap
      // PostgreSQL answers a failed allocation with an ordinary error (53200) and frees what the statement
      // held.
      imports.env.emscripten_resize_heap = (bytes) => {
        if (this.#grownTo(bytes >>> 0) <= this.#ceiling) return grow(bytes)
        this.#refused = true
        return false
      }
      this.#base = Number(imports.env.__memory_base.value)
      void this.#make(imports, done).catch(failed)
      return {}
    }
  }

  async #make(imports: Imports, done: (instance: Instance, code: CompiledCode) => void): Promise<void> {
    const instance = await WebAssembly.instantiate(this.#code, imports)
    this.#exports = instance.exports as Exports
    done(instance, this.#code)
  }

  /**
   * Emscripten takes more than it is asked for: up to a fifth above the present size, at most 96 MiB extra.
   */
  #grownTo(bytes: number): number {
    return Math.max(bytes, Math.min(this.heapBytes * 1.2, bytes + 96 * 2 ** 20))
  }

  get heapBytes(): number {
    return this.#memory?.buffer.byteLength ?? 0
  }

  /**
   * Runs with memory that may grow to `ceiling` bytes. An error's longjmp leaves its stack behind, so the
   * stack is restored.
   */
  within<T>(ceiling: number, work: () => T): { value: T; refusedMemory: boolean } {
    const stack = this.#known.emscripten_stack_get_current()
    this.#ceiling = ceiling
    this.#refused = false
    try {
      return { value: work(), refusedMemory: this.#refused }
    } finally {
      this.#known._emscripten_stack_restore(stack)
      this.#ceiling = Number.POSITIVE_INFINITY
      this.#setCancel(0)
    }
  }

  /**
   * Ends the running statement with 57014 when PostgreSQL next checks for it. Call only from within a call of
   * the engine.
   */
  cancel(): void {
    this.#setCancel(1)
  }

  get #known(): Exports {
    if (this.#exports === null) throw new Error('the engine has not been made')
    return this.#exports
  }

  #setCancel(value: 0 | 1): void {
    if (this.#memory === null) return
    const words = new Int32Array(this.#memory.buffer)
    for (const flag of [this.#known.QueryCancelPending, this.#known.InterruptPending])
      words[(Number(flag.value) + this.#base) >> 2] = value
  }
}
