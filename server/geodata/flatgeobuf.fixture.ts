// Writes FlatGeobufs by hand: those that GDAL does not write, and broken ones.

/** A field of a table in the file: number of a size, text, bytes, list of numbers, table or list of tables. */
export type FlatField =
  | null
  | { readonly u8: number }
  | { readonly u16: number }
  | { readonly i32: number }
  | { readonly u64: bigint }
  | { readonly text: string }
  | { readonly bytes: Buffer }
  | { readonly u32s: readonly number[] }
  | { readonly f64s: readonly number[] }
  | { readonly table: readonly FlatField[] }
  | { readonly tables: readonly (readonly FlatField[])[] }

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const f64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

/** What is behind the table, to which its field points; null: the value is in the table. */
function behind(field: FlatField): Buffer | null {
  if (field === null) return null
  if ('text' in field) return behind({ bytes: Buffer.from(field.text) })
  if ('bytes' in field) return Buffer.concat([u32(field.bytes.length), field.bytes])
  if ('u32s' in field) return Buffer.concat([u32(field.u32s.length), ...field.u32s.map(u32)])
  if ('f64s' in field) return Buffer.concat([u32(field.f64s.length), ...field.f64s.map(f64)])
  if ('table' in field) return flatTable(field.table).bytes
  if (!('tables' in field)) return null
  const parts = field.tables.map(flatTable)
  let at = 4 * parts.length
  const offsets = parts.map(({ bytes, start }, nr) => {
    const offset = at + start - 4 * nr
    at += bytes.length
    return u32(offset)
  })
  return Buffer.concat([u32(parts.length), ...offsets, ...parts.map(({ bytes }) => bytes)])
}

/** `start`: where the table is, behind its vtable. */
function flatTable(fields: readonly FlatField[]): { readonly bytes: Buffer; readonly start: number } {
  const start = 4 + 2 * fields.length
  const table = Buffer.alloc(start + 4 + 8 * fields.length)
  table.writeUInt16LE(start, 0)
  table.writeUInt16LE(4 + 8 * fields.length, 2)
  table.writeInt32LE(start, start)
  const parts: Buffer[] = [table]
  let end = table.length
  for (const [nr, field] of fields.entries()) {
    if (field === null) continue
    const inside = 4 + 8 * nr
    const at = start + inside
    table.writeUInt16LE(inside, 4 + 2 * nr)
    if ('u8' in field) table[at] = field.u8
    else if ('u16' in field) table.writeUInt16LE(field.u16, at)
    else if ('i32' in field) table.writeInt32LE(field.i32, at)
    else if ('u64' in field) table.writeBigUInt64LE(field.u64, at)
    const more = behind(field)
    if (more === null) continue
    table.writeUInt32LE(end - at + ('table' in field ? 4 + 2 * field.table.length : 0), at)
    parts.push(more)
    end += more.length
  }
  return { bytes: Buffer.concat(parts), start }
}

/** With its length before it. */
export function flatBuffer(fields: readonly FlatField[]): Buffer {
  const { bytes, start } = flatTable(fields)
  return Buffer.concat([u32(4 + bytes.length), u32(4 + start), bytes])
}

export const FGB_MAGIC = Buffer.from('6667620366676200', 'hex')
export const column = (name: string, type: number): readonly FlatField[] => [{ text: name }, { u8: type }]
interface Head {
  readonly type?: number
  readonly columns?: readonly (readonly FlatField[])[]
  readonly count?: number
  readonly node?: number
}
export const fgbHeader = ({
  type = 1,
  columns = [],
  count = 0,
  node = 0,
}: Head = {}): readonly FlatField[] => [
  { text: 'schacht' },
  null,
  { u8: type },
  null,
  null,
  null,
  null,
  { tables: columns },
  { u64: BigInt(count) },
  { u16: node },
  { table: [null, { i32: 25_833 }] },
]
export const fgb = (header: readonly FlatField[], ...features: readonly (readonly FlatField[])[]): Buffer =>
  Buffer.concat([FGB_MAGIC, flatBuffer(header), ...features.map(flatBuffer)])
export const pointAt = (x: number, y: number): FlatField => ({ table: [null, { f64s: [x, y] }] })
