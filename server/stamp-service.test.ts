import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readStampCertificates, stampService } from './stamp-service.ts'
import { startStampServer, type StampServer } from './time-stamp.fixture.ts'

const HEAD = { nr: 12, kopf: 'ab'.repeat(32) }
const folder = mkdtempSync(join(tmpdir(), 'forstkontor-stamps-'))
let server: StampServer
beforeAll(async () => {
  server = await startStampServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test('a file without a usable certificate is one sentence', () => {
  const read = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return () => readStampCertificates(join(folder, name))
  }
  expect(read('good.pem', server.certificates)).not.toThrow()
  expect(read('empty.pem', '')).toThrow(/kein Zertifikat \(PEM\): .*empty\.pem/)
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  expect(read('broken.pem', server.certificates + broken)).toThrow(/Zertifikat 2 .*broken\.pem/)
  expect(() => readStampCertificates(join(folder, 'none.pem'))).toThrow(/gibt es nicht: .*none\.pem/)
  expect(() => readStampCertificates(folder)).toThrow(/lässt sich nicht lesen/)
})

test('the file is read at the start: losing it later changes nothing', async () => {
  const file = join(folder, 'authority.pem')
  writeFileSync(file, server.certificates)
  const stamps = stampService({ TIMESTAMP_URL: server.url, TIMESTAMP_CERTIFICATES: file })
  rmSync(file)
  const timeStamp = await stamps.request!(HEAD)
  const line = { ...HEAD, zeit: new Date().toISOString(), zeitstempel: timeStamp }
  expect(await stamps.timeOf(line)).toBeInstanceOf(Date)
})
