// A second engine, loaded except for the data folder: using it takes a fraction of a full start. It costs
// memory, so it exists only while it may be needed.
import { Engine, type EngineOptions } from './embedded-engine.ts'

/** Longest time it is kept unused. */
const KEPT_MS = 45_000

export class Standby {
  readonly #options: EngineOptions
  #engine: Promise<Engine> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: EngineOptions) {
    this.#options = options
  }

  /**
   * Starts loading one unless that has already begun. Resolves when it is loaded; rejects if it cannot be.
   */
  async prepare(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.drop(), KEPT_MS).unref()
    this.#engine ??= Engine.prepare(this.#options)
    await (await this.#engine).warm
  }

  /** Returns an engine that has not opened the folder yet, loaded or not. */
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
