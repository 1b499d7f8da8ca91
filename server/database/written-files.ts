// Which files of the data folder may hold data that is not on disk yet. Kept outside the engine's thread, so
// that it outlives an engine that had to be ended: PostgreSQL then syncs every file of the folder, about a
// thousand, although few were written.

const BITS = 1 << 16
const KNOWN = BITS >> 5

export class WrittenFiles {
  readonly words: Int32Array

  constructor(words: Int32Array = new Int32Array(new SharedArrayBuffer((BITS >> 3) + 4))) {
    this.words = words
  }

  /**
   * Call before the first change of the file, or of a folder's entries. Two files may share a bit, which only
   * costs an extra sync.
   */
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

  /** An engine has opened the folder: earlier data is on disk, and later changes are marked. */
  begin(): void {
    Atomics.store(this.words, KNOWN, 1)
  }

  /** An engine was closed in order: everything is on disk. */
  clear(): void {
    for (let word = 0; word < KNOWN; word++) Atomics.store(this.words, word, 0)
  }
}
