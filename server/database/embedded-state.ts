// State shared between the embedded engine's thread and its owner without messages, because either may be in
// the middle of a statement.

const [BEGUN, COMMITTING, FOLDER_OPEN, HEAP, CLAIMS] = [0, 1, 2, 3, 4]
/** More than the mailbox ever holds at once. */
const CLAIM_SLOTS = 64
const [WAITING, TAKEN, WITHDRAWN] = [0, 1, 2]
const PAGE = 65_536

export class SharedState {
  readonly words: Int32Array

  constructor(words: Int32Array = new Int32Array(new SharedArrayBuffer(4 * (CLAIMS + CLAIM_SLOTS)))) {
    this.words = words
  }

  /** Id of the request begun last. */
  get begun(): number {
    return Atomics.load(this.words, BEGUN)
  }

  /** Id of the request whose commit began last. */
  get committing(): number {
    return Atomics.load(this.words, COMMITTING)
  }

  set committing(id: number) {
    Atomics.store(this.words, COMMITTING, id)
  }

  /** Size of the engine's memory, which never shrinks. */
  get heapBytes(): number {
    return Atomics.load(this.words, HEAP) * PAGE
  }

  set heapBytes(bytes: number) {
    Atomics.store(this.words, HEAP, bytes / PAGE)
  }

  /** Called before the request is sent. */
  announce(id: number): void {
    Atomics.store(this.words, slotOf(id), WAITING)
  }

  /** True: it had not begun and will not run. */
  withdraw(id: number): boolean {
    return Atomics.compareExchange(this.words, slotOf(id), WAITING, WITHDRAWN) === WAITING
  }

  /** False: it was withdrawn. */
  begin(id: number): boolean {
    if (Atomics.compareExchange(this.words, slotOf(id), WAITING, TAKEN) !== WAITING) return false
    Atomics.store(this.words, BEGUN, id)
    return true
  }

  /** Lets the thread open the data folder. */
  openFolder(): void {
    Atomics.store(this.words, FOLDER_OPEN, 1)
    Atomics.notify(this.words, FOLDER_OPEN)
  }

  awaitFolder(): void {
    Atomics.wait(this.words, FOLDER_OPEN, 0)
  }

  /** Blocks the thread until it is ended. */
  static halt(): never {
    const never = new Int32Array(new SharedArrayBuffer(4))
    for (;;) Atomics.wait(never, 0, 0)
  }
}

const slotOf = (id: number) => CLAIMS + (id % CLAIM_SLOTS)
