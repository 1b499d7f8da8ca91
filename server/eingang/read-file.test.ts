// Hostile and odd files: what becomes of each, and that none of them takes long.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cii } from '#domain/eingang/files.fixture.ts'
import { READER_LIMITS } from '#server/reader/confined.ts'
import { FileFault } from './file-fault.ts'
import { HOSTILE, SPEC } from './hostile-files.fixture.ts'
import { makePdf } from './pdf.fixture.ts'
import { readAttachment, readFile } from './read-file.ts'
import { readEmbedded, readReceived } from './reader.ts'

test('there are forty of them', () => expect(HOSTILE.length).toBeGreaterThanOrEqual(40))

test.each(HOSTILE.map((file) => [file.what, file] as const))('%s', (_what, { bytes, ends }) => {
  const read = (): ReturnType<typeof readFile> => readFile(bytes(), null)
  if (typeof ends === 'string') {
    expect(read).toThrow(FileFault)
    expect(read).toThrow(ends)
    return
  }
  const { format, head, faults, invoice } = read()
  expect(format).toBe(ends.format)
  const rules = faults.map(({ rule }) => rule)
  if (ends.rules?.length === 0) expect(rules).toEqual([])
  else expect(rules).toEqual(expect.arrayContaining([...(ends.rules ?? [])]))
  if (ends.head !== undefined) expect(head).toMatchObject(ends.head)
  expect(invoice === null).toBe(format === 'pdf')
  expect(JSON.stringify(faults).length).toBeLessThan(100_000)
})

describe('embedded documents', () => {
  const files = [
    ['a.csv', 'text/csv', Buffer.from('a;b').toString('base64')],
    ['b.html', 'text/html', Buffer.from('<b>').toString('base64')],
  ] as const
  const xml = Buffer.from(cii({ ...SPEC, attachments: files }))
  test('are counted from 1, in XML and in a PDF', () => {
    for (const bytes of [xml, makePdf({ attachments: [['factur-x.xml', xml]] })]) {
      expect(readAttachment(bytes, 2)).toEqual({ name: 'b.html', mime: 'text/html', base64: files[1][2] })
      expect(readAttachment(bytes, 3)).toBeNull()
    }
  })
})

describe('in a process of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eingang-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const options = { limits: READER_LIMITS, signal: new AbortController().signal }
  const stored = (name: string, bytes: Buffer): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  test('an invoice is read, and its document', async () => {
    const path = stored('a.xml', Buffer.from(cii({ ...SPEC, attachments: [['a.csv', 'text/csv', 'YQ==']] })))
    const read = await readReceived(
      path,
      { name: 'x', name_zusatz: '', ust_id: '', steuernummer: '' },
      options,
    )
    expect(read).toMatchObject({ format: 'cii', head: { nummer: 'H-1', brutto: '119.00' } })
    expect(await readEmbedded(path, 1, options)).toEqual({ name: 'a.csv', mime: 'text/csv', base64: 'YQ==' })
    expect(await readEmbedded(path, 2, options)).toBeNull()
  })
  test('a refusal comes back by its code', async () => {
    const path = stored('b.xml', Buffer.from('<html/>'))
    await expect(readReceived(path, null, options)).rejects.toMatchObject({ code: 'eingang_fremd' })
  })
  test('what takes too much ends, and the server with it does not', async () => {
    const path = stored(
      'c.xml',
      Buffer.from(cii({ ...SPEC, notes: Array.from({ length: 60_000 }, () => 'x'.repeat(300)) })),
    )
    const least = { ...READER_LIMITS, memoryBytes: 60 * 2 ** 20 }
    await expect(readReceived(path, null, { ...options, limits: least })).rejects.toMatchObject({
      code: 'eingang_aufwand',
    })
  })
})
