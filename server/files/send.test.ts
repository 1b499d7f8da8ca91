import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendStoredFile } from './send.ts'
import { folderStore } from './store.ts'

test('HEAD says how long the content is, whole or a range, and sends none of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gesendet-'))
  const app = fastify()
  try {
    const store = folderStore(folder)
    const path = await store.workFile()
    writeFileSync(path, 'abcdefghij')
    const { sha256 } = await store.putFile(path)
    app.get('/datei', (request, reply) =>
      sendStoredFile(request, reply, store, { sha256, mime: 'image/png', name: null }),
    )
    const ask = (method: 'GET' | 'HEAD', headers = {}) => app.inject({ url: '/datei', method, headers })
    expect((await ask('HEAD')).headers['content-length']).toBe('10')
    const part = await ask('HEAD', { range: 'bytes=2-4' })
    expect([part.statusCode, part.headers['content-length'], part.payload]).toEqual([206, '3', ''])
    expect((await ask('GET', { range: 'bytes=2-4' })).payload).toBe('cde')
  } finally {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
