// Which files of the data folder may hold what is not on disk yet. Kept outside of the engine's thread, so that it outlives one that had to be ended:
// PostgreSQL then syncs every file of the folder, a thousand of them, of which few were written.

const BITS = 1 << 16
const KNOWN = BITS >> 5

export class WrittenFiles {
  readonly words: Int32Array

  constructor(words: Int32Array = new Int32Array(new SharedArrayBuffer((BITS >> 3) + 4))) {
    this.words = words
  }

  /** Before the first change of the file, or of a folder's list. Two files may share a bit, which costs a sync too many. */
  mark(inode: number): void {
    const bit = inode % BITS
    Atomics.or(this.words, bit >> 5, 1 << (bit & 31))
  }

  mayHoldUnsynced(inode: number): boolean {
    const bit = inode % BITS
    return (
      Atomics.load(this.words, KNOWN) === 0 || (Atomics.load(this.words, bit >> 5) & (1 << (bit & 31))) !== 0
    )
  }

  /** An engine has opened the folder: what was before is on disk, and what comes is marked. */
  begin(): void {
    Atomics.store(this.words, KNOWN, 1)
  }

  /** An engine was closed in order: everything is on disk. */
  clear(): void {
    for (let word = 0; word < KNOWN; word++) Atomics.store(this.words, word, 0)
  }
}
