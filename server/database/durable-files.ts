// The file layer of the embedded engine with real syncs. As shipped, PGlite answers "done" to a sync without doing one.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

interface Node {
  readonly name: string
  readonly parent: Node
}

export interface OpenFile {
  readonly nfd?: number
  readonly node: Node
}

/** The part of Emscripten's file system that is replaced. */
interface NodeFiles {
  readonly stream_ops: { fsync?: (file: OpenFile) => number }
}

/** errno of WASI for an input/output error. */
const EIO = 29

export class DurableFiles extends NodeFS {
  /** Syncs that reached the disk; the engine's start asserts that a commit raises it. */
  syncs = 0

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    type PreRun = (module: { FS: { filesystems: { NODEFS: NodeFiles } } }) => void
    const replaceSync: PreRun = (module) => {
      module.FS.filesystems.NODEFS.stream_ops.fsync = (file) => this.sync(file)
    }
    const preRun = [...((emscriptenOpts.preRun as unknown as PreRun[] | undefined) ?? []), replaceSync]
    return { emscriptenOpts: { ...emscriptenOpts, preRun: preRun as never } }
  }

  /** Regular files by their descriptor; directories have none open and are synced by path. */
  protected sync(file: OpenFile): number {
    try {
      if (file.nfd !== undefined) fsyncSync(file.nfd)
      else this.#syncFolder(this.#pathOf(file.node))
      this.syncs++
      return 0
    } catch {
      // PostgreSQL answers a failed sync of its log by stopping, which is right: it must not go on as if it had happened.
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
