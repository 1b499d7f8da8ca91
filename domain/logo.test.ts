import { describe, expect, test } from 'vitest'
import cases from './logo.cases.json' with { type: 'json' }
import { type LogoCase, logoBytes } from '../test/logo-cases.ts'
import { logoType } from './logo.ts'

type Case = LogoCase & { readonly why: string; readonly found: string }

const utf8 = (bytes: Uint8Array) => (): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

describe('a logo', () => {
  test.each((cases as unknown as Case[]).map((one) => [one.why, one] as const))('%s', (_why, one) => {
    const bytes = logoBytes(one)
    const start = performance.now()
    expect(logoType(bytes, utf8(bytes))).toBe(one.found)
    expect(performance.now() - start).toBeLessThan(3_000)
  })
})
