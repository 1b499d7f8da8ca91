// Photos of a report that is being made: on disk, so that memory does not grow with their number.
import { type FileHandle, open, rm } from 'node:fs/promises'

/** A photo in the spool, as JPEG. */
export interface SpooledPhoto {
  readonly at: number
  readonly length: number
  readonly width: number
  readonly height: number
}

export class PhotoSpool {
  readonly #filePath: string
  readonly #file: FileHandle
  #end = 0

  private constructor(filePath: string, file: FileHandle) {
    this.#filePath = filePath
    this.#file = file
  }

  /** The path must be free; `remove` deletes the file. */
  static async open(filePath: string): Promise<PhotoSpool> {
    return new PhotoSpool(filePath, await open(filePath, 'wx+', 0o600))
  }

  async add(bytes: Buffer, size: { readonly width: number; readonly height: number }): Promise<SpooledPhoto> {
    const at = this.#end
    // Before it is written: another may be added meanwhile.
    this.#end += bytes.length
    await this.#file.writev([bytes], at)
    return { at, length: bytes.length, width: size.width, height: size.height }
  }

  /** Reads a photo to a place in `target`. */
  async read({ at, length }: SpooledPhoto, target: Buffer, offset: number): Promise<void> {
    for (let read = 0; read < length; ) {
      // oxlint-disable-next-line no-await-in-loop -- the rest of what was not read at once
      const { bytesRead } = await this.#file.read(target, offset + read, length - read, at + read)
      if (bytesRead === 0) throw new Error('the photo is no longer in the spool')
      read += bytesRead
    }
  }

  async remove(): Promise<void> {
    await this.#file.close()
    await rm(this.#filePath, { force: true })
  }
}
