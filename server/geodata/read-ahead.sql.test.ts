// A file that takes its time is read before the transaction that takes its rows, so others are answered meanwhile.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import type { Transaction } from '#server/database/database.ts'
import { ReaderEndedError } from './foreign.ts'
import { readAhead } from './read-ahead.ts'
import { FileFault } from './source.ts'

const READER = { role: 'nutzer' as const, readOnly: true }
const MESSAGES = [
  { art: 'zeilen', text: 'erste\u2028Zeile\n' },
  { art: 'fertig', text: 'ä' },
]

describe.skipIf(isMissing('embedded'))('reading ahead', () => {
  let engine: Engine
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-ahead-'))
  const path = join(folder, 'neu-1')
  beforeAll(async () => {
    engine = await openEngine('embedded')
  })
  afterAll(async () => {
    await engine?.close()
    rmSync(folder, { recursive: true })
  })

  const collected = async (messages: AsyncIterable<unknown>): Promise<unknown[]> => {
    const all: unknown[] = []
    for await (const one of messages) all.push(one)
    return all
  }
  const take = (messages: AsyncIterable<unknown>) =>
    engine.api.transaction(READER, async (tx: Transaction) => {
      await tx.query(sql('select 1'))
      return collected(messages)
    })

  test('another person is answered while a file is slow; then all of it is there, and nothing is left', async () => {
    const slow = Promise.withResolvers<void>()
    async function* reading() {
      yield MESSAGES[0]!
      await slow.promise
      yield MESSAGES[1]!
    }
    const taken = readAhead(reading(), { path }, take)
    const { rows } = await engine.api.once<{ n: number }>(READER, sql('select 7 as n'))
    expect(rows).toEqual([{ n: 7 }])
    slow.resolve()
    expect(await taken).toEqual(MESSAGES)
    expect(readdirSync(folder)).toEqual([])
  })

  test('more than the disk should bear is refused, and leaves nothing', async () => {
    let begun = false
    async function* endless() {
      for (;;) yield { art: 'zeilen', text: 'x'.repeat(1_000) }
    }
    const taken = readAhead(endless(), { path, mostBytes: 100_000 }, async () => {
      begun = true
    })
    await expect(taken).rejects.toMatchObject({ code: 'datei_aufwand' })
    expect([begun, readdirSync(folder)]).toEqual([false, []])
  })

  test('what the reader finds wrong comes before any transaction, and leaves nothing', async () => {
    let begun = false
    async function* broken() {
      yield MESSAGES[0]!
      throw new FileFault('datei_kaputt')
    }
    await expect(readAhead(broken(), { path }, async () => (begun = true))).rejects.toThrow(FileFault)
    expect([begun, readdirSync(folder)]).toEqual([false, []])
  })

  test('who gives up while the rows are taken ends the work', async () => {
    const ending = new AbortController()
    async function* reading() {
      yield* MESSAGES
    }
    const taken = readAhead(reading(), { path, signal: ending.signal }, async (messages) => {
      ending.abort()
      return collected(messages)
    })
    await expect(taken).rejects.toThrow(ReaderEndedError)
    expect(readdirSync(folder)).toEqual([])
  })
})
