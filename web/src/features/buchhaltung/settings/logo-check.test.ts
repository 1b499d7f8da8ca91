import { Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import { LARGEST_LOGO, logoType } from './logo-check.ts'

const parse = (text: string): Element | null => {
  const parsed = new new Window().DOMParser().parseFromString(text, 'image/svg+xml')
  return parsed.documentElement as unknown as Element | null
}
const of = (text: string) => logoType(new TextEncoder().encode(text), parse)
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${inner}</svg>`

// The rules themselves are tested in domain/logo.test.ts.
describe('a logo', () => {
  test('is known by its content', () => {
    expect(of(svg('<path d="M0 0h1" fill="url(#a)"/>'))).toBe('image/svg+xml')
    expect(of(svg('<script/>'))).toBe('svg_aktiv')
    expect(of('Logo')).toBe('art')
    expect(logoType(new Uint8Array([0x3c, 0xff]), parse)).toBe('art')
    expect(logoType(new Uint8Array(LARGEST_LOGO + 1), parse)).toBe('gross')
  })
  test('that the browser does not read is refused', () =>
    expect(logoType(new TextEncoder().encode(svg('')), () => null)).toBe('svg_kaputt'))
})
