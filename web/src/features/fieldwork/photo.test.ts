import { describe, expect, test } from 'vitest'
import { PHOTO_MOST_BYTES } from '#contract/habitat-images.ts'
import { PhotoError, photoTypeOf, readPhoto } from './photo.ts'

const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((sign) => sign.charCodeAt(0)) : part)),
  )
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')

describe('a photo is looked at by its bytes', () => {
  test.each([
    ['JPEG', JPEG, 'image/jpeg'],
    ['PNG', bytes([0x89], 'PNG\r\n'), 'image/png'],
    ['WebP', bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 '), 'image/webp'],
    ['HEIC', bytes([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0], 'mif1heic'), 'heic'],
    ['a page', bytes('<!doctype html>'), null],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg">'), null],
    ['a film', bytes([0, 0, 0, 24], 'ftypisom', [0, 0, 0, 0], 'isomavc1'), null],
    ['nothing', bytes(), null],
  ])('%s', (_what, head, kind) => expect(photoTypeOf(head)).toBe(kind))

  test('it is kept byte by byte with its SHA-256', async () => {
    const made = await readPhoto(
      new File([JPEG], 'C:\\Stamm.jpg', { type: 'text/html', lastModified: Date.UTC(2026, 10, 22, 8) }),
    )
    expect(new Uint8Array(await made.original.arrayBuffer())).toEqual(JPEG)
    expect(made).toMatchObject({ typ: 'image/jpeg', groesse: 8, aufgenommen_am: '2026-11-22T08:00:00.000Z' })
    expect(made.sha256).toMatch(/^[0-9a-f]{64}$/)
  })
  test.each([
    ['leer', new File([], 'a.jpg')],
    ['typ', new File(['<html>'], 'a.jpg', { type: 'image/jpeg' })],
    ['heic', new File([bytes([0, 0, 0, 24], 'ftypheic')], 'a.jpg')],
  ])('%s is refused in words', async (code, file) => {
    const refused = readPhoto(file)
    await expect(refused).rejects.toBeInstanceOf(PhotoError)
    await expect(refused).rejects.toMatchObject({ code })
  })
  test('what is too large is not even read', async () => {
    let read = false
    const file = {
      size: PHOTO_MOST_BYTES + 1,
      name: 'a.jpg',
      arrayBuffer: () => Promise.resolve(((read = true), new ArrayBuffer(0))),
    } as unknown as File
    await expect(readPhoto(file)).rejects.toMatchObject({ code: 'gross' })
    expect(read).toBe(false)
  })
})
