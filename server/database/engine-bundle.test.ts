import { describe, expect, test } from 'vitest'
import { withoutFiles } from './engine-bundle.ts'

const entry = (name: string, content: string, kind = '0'): Buffer => {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(kind, 156)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}
const END = Buffer.alloc(1024)

describe('an archive without some of its files', () => {
  const [small, large, folder] = [
    entry('a/small', 'x'),
    entry('a/large', 'y'.repeat(1300)),
    entry('a/', '', '5'),
  ]
  test('holds the others byte for byte', () => {
    const all = Buffer.concat([folder, small, large, END])
    expect(withoutFiles(all, (name) => name === 'a/large').equals(Buffer.concat([folder, small, END]))).toBe(
      true,
    )
    expect(withoutFiles(all, (name) => name === 'a/small').equals(Buffer.concat([folder, large, END]))).toBe(
      true,
    )
    expect(withoutFiles(all, () => false).equals(all)).toBe(true)
  })
  test('reads names of two parts', () => {
    const long = entry('small', 'x')
    long.write('deep/folder', 345)
    expect(withoutFiles(Buffer.concat([long, END]), (name) => name === 'deep/folder/small').equals(END)).toBe(
      true,
    )
  })
  test('takes no kind of entry that changes the names of others', () => {
    expect(() =>
      withoutFiles(Buffer.concat([entry('././@LongLink', 'name', 'L'), small, END]), () => false),
    ).toThrow(RangeError)
  })
})
