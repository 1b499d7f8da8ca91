// File layer of the embedded engine: real syncs (PGlite as shipped reports success without syncing), and no
// changes to a folder that is not ours.
import { closeSync, fstatSync, fsyncSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { InstanceOptions } from './engine-instance.ts'
import type { WrittenFiles } from './written-files.ts'

interface Node {
  readonly name: string
  readonly parent: Node
}

export interface OpenFile {
  readonly nfd?: number
  readonly node: Node
}

type Operation = (...given: unknown[]) => unknown

/** The part of Emscripten's file system that is replaced. */
interface NodeFiles {
  readonly stream_ops: Record<string, Operation> & { fsync?: (file: OpenFile) => number }
  readonly node_ops: Record<string, Operation>
}

/** Operations that change the folder. */
const CHANGES = {
  stream_ops: ['write', 'msync'],
  node_ops: ['setattr', 'mknod', 'rename', 'unlink', 'rmdir', 'symlink'],
} as const

export interface FileWatch {
  /** Called before the first file is opened. */
  beforeFirst(): void
  /** Called before every change and after every sync; must not return if another process has the folder. */
  assertOurs(): void
  readonly written: WrittenFiles
}

/** WASI errno for an input/output error. */
const EIO = 29

export class DurableFiles extends NodeFS {
  /** Syncs that reached the disk; at start the engine asserts that a commit increases this. */
  syncs = 0
  /** While the folder is being opened, files that were not written need no sync. */
  opening = true
  readonly #watch: FileWatch | null
  /** Open files whose inode is already marked. */
  readonly #marked = new WeakSet<OpenFile>()
  readonly #adapt: (options: InstanceOptions) => void

  /** `adapt` may change what PGlite passes to Emscripten. */
  constructor(
    folder: string,
    watch: FileWatch | null = null,
    adapt: (options: InstanceOptions) => void = () => undefined,
  ) {
    super(folder)
    this.#watch = watch
    this.#adapt = adapt
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    type PreRun = (module: { FS: { filesystems: { NODEFS: NodeFiles } } }) => void
    const replace: PreRun = (module) => this.#replace(module.FS.filesystems.NODEFS)
    const preRun = [...((emscriptenOpts.preRun as unknown as PreRun[] | undefined) ?? []), replace]
    const ours = { ...emscriptenOpts, preRun: preRun as never }
    this.#adapt(ours as unknown as InstanceOptions)
    return { emscriptenOpts: ours }
  }

  #replace(layer: NodeFiles): void {
    layer.stream_ops.fsync = (file) => this.sync(file)
    const watch = this.#watch
    if (watch === null) return
    for (const [kind, names] of Object.entries(CHANGES) as [keyof typeof CHANGES, readonly string[]][]) {
      for (const name of names) {
        const change = layer[kind][name]
        if (change === undefined) continue
        layer[kind][name] = (...given) => {
          watch.assertOurs()
          this.#note(name, given, watch.written)
          const result = change(...given)
          if (name === 'mknod') watch.written.mark(this.#inodeAt(result as Node))
          return result
        }
      }
    }
    const open = layer.stream_ops['open']
    if (open === undefined) throw new Error('the file layer of the engine has another shape')
    layer.stream_ops['open'] = (...given) => {
      watch.beforeFirst()
      layer.stream_ops['open'] = open
      return open(...given)
    }
  }

  /**
   * Marks what is about to change: a file by its open descriptor or path, and the folders whose entries
   * change.
   */
  #note(name: string, given: readonly unknown[], written: WrittenFiles): void {
    const [subject] = given
    if (name === 'write' || name === 'msync') {
      const file = subject as OpenFile
      if (this.#marked.has(file)) return
      written.mark(file.nfd === undefined ? this.#inodeAt(file.node) : fstatSync(file.nfd).ino)
      this.#marked.add(file)
      return
    }
    written.mark(this.#inodeAt(subject as Node))
    if (name !== 'rename') return
    written.mark(this.#inodeAt((subject as Node).parent))
    written.mark(this.#inodeAt(given[1] as Node))
  }

  #inodeAt(node: Node): number {
    return lstatSync(this.#pathOf(node), { throwIfNoEntry: false })?.ino ?? 0
  }

  #needsSync(file: OpenFile): boolean {
    if (!this.opening || this.#watch === null) return true
    return this.#watch.written.mayHoldUnsynced(
      file.nfd === undefined ? this.#inodeAt(file.node) : fstatSync(file.nfd).ino,
    )
  }

  /** Regular files are synced by descriptor; directories have none open and are synced by path. */
  protected sync(file: OpenFile): number {
    try {
      if (!this.#needsSync(file)) return 0
      if (file.nfd !== undefined) fsyncSync(file.nfd)
      else this.#syncFolder(this.#pathOf(file.node))
      this.syncs++
      this.#watch?.assertOurs()
      return 0
    } catch {
      // PostgreSQL reacts to a failed sync of its log by stopping. That is right: it must not go on as if the
      // sync had succeeded.
      return EIO
    }
  }

  #pathOf(node: Node): string {
    return node.parent === node ? this.rootDir : join(this.#pathOf(node.parent), node.name)
  }

  #syncFolder(path: string): void {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}
