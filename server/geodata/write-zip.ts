// A small ZIP archive, written file by file. The same content gives the same bytes.
import { crc32, deflateRawSync } from 'node:zlib'

export function createZip(write: (bytes: Buffer) => Promise<void>) {
  const directory: Buffer[] = []
  let offset = 0
  return {
    /** @param packed the content is compressed already and is stored as it is */
    async add(name: string, content: Buffer, packed = false): Promise<void> {
      const body = packed ? content : deflateRawSync(content)
      const named = Buffer.from(name, 'utf8')
      const facts = Buffer.alloc(26)
      facts.writeUInt16LE(20, 0)
      facts.writeUInt16LE(0x0800, 2)
      facts.writeUInt16LE(packed ? 0 : 8, 4)
      // 1 January 1980.
      facts.writeUInt16LE(0x21, 8)
      facts.writeUInt32LE(crc32(content), 10)
      facts.writeUInt32LE(body.length, 14)
      facts.writeUInt32LE(content.length, 18)
      facts.writeUInt16LE(named.length, 22)
      const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), facts, named, body])
      const rest = Buffer.alloc(14)
      rest.writeUInt32LE(offset, 10)
      directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), facts, rest, named]))
      offset += local.length
      await write(local)
    },
    async end(): Promise<void> {
      const entries = Buffer.concat(directory)
      const end = Buffer.alloc(22)
      end.writeUInt32LE(0x06054b50, 0)
      end.writeUInt16LE(directory.length, 8)
      end.writeUInt16LE(directory.length, 10)
      end.writeUInt32LE(entries.length, 12)
      end.writeUInt32LE(offset, 16)
      await write(Buffer.concat([entries, end]))
    },
  }
}
