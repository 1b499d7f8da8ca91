import { Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import { LARGEST_LOGO, logoTyp } from './logo-check.ts'

const parse = (text: string): Element | null => {
  const parsed = new new Window().DOMParser().parseFromString(text, 'image/svg+xml')
  return parsed.documentElement as unknown as Element | null
}
const of = (text: string) => logoTyp(new TextEncoder().encode(text), parse)
const svg = (inner: string, more = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"${more}>${inner}</svg>`

describe('a logo', () => {
  test('is known by its content', () => {
    expect(logoTyp(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]), parse)).toBe('image/png')
    expect(of(svg('<path d="M0 0h1" fill="url(#a)"/>'))).toBe('image/svg+xml')
    expect(of(svg('<g id="a"/><use href="#a"/>'))).toBe('image/svg+xml')
  })
  test.each([
    ['nothing', '', 'leer'],
    ['a page', '<html><body/></html>', 'art'],
    ['a text', 'Logo', 'art'],
    ['a script', svg('<script>alert(1)</script>'), 'svg_aktiv'],
    ['an event', svg('<g onload="x()"/>'), 'svg_aktiv'],
    ['an event of the drawing itself', svg('', ' onload="x()"'), 'svg_aktiv'],
    ['a picture from elsewhere', svg('<image href="https://x.test/a.png"/>'), 'svg_aktiv'],
    ['a reference to elsewhere', svg('<use href="https://x.test/a.svg#b"/>'), 'svg_aktiv'],
    ['a colour from elsewhere', svg('<path fill="url(https://x.test/a)"/>'), 'svg_aktiv'],
    ['a page within', svg('<foreignObject/>'), 'svg_aktiv'],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'svg_aktiv'],
  ])('that is or holds %s is refused', (_what, text, fault) => expect(of(text)).toBe(fault))
  test('of another kind, or too large, is refused', () => {
    expect(logoTyp(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), parse)).toBe('art')
    expect(logoTyp(new Uint8Array(LARGEST_LOGO + 1), parse)).toBe('gross')
  })
})
