// A second engine, loaded but for the data folder: taking it costs a fraction of a start. It takes memory, so there is one only while it may be needed.
import { Engine, type EngineOptions } from './embedded-engine.ts'

/** Longest time it is kept for nothing. */
const KEPT_MS = 45_000

export class Standby {
  readonly #options: EngineOptions
  #engine: Promise<Engine> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: EngineOptions) {
    this.#options = options
  }

  /** Begins to load one, unless it has begun already. Resolves when it is loaded; rejects when it cannot be. */
  async prepare(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.drop(), KEPT_MS).unref()
    this.#engine ??= Engine.prepare(this.#options)
    await (await this.#engine).warm
  }

  /** An engine that has not opened the folder yet, loaded or not. */
  async take(): Promise<Engine> {
    clearTimeout(this.#timer)
    const waiting = this.#engine
    this.#engine = null
    return waiting ?? Engine.prepare(this.#options)
  }

  drop(): void {
    clearTimeout(this.#timer)
    const waiting = this.#engine
    this.#engine = null
    waiting?.then(
      (engine) => engine.kill('not needed', 'crash'),
      () => undefined,
    )
  }
}
