// The figures of a whole server on PostgreSQL: what they say, and that their number has a bound.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { Backlog } from './backlog.ts'
import { createFigures } from './metrics.ts'
import { seriesOf, startWatched, valueOf, type WatchedServer } from '../../db/test/watched-server.ts'

describe.skipIf(postgresUrl() === null)('figures of a running server', () => {
  let server: WatchedServer
  let authorization: string
  beforeAll(async () => {
    server = await startWatched(inject('schemaUrl'), { DB_POOL: '2', BACKUP: 'on' })
    authorization = `Bearer ${await server.token('admin')}`
  })
  afterAll(() => server?.stop())

  const get = (path: string, headers: Record<string, string> = { authorization }) =>
    fetch(server.origin + path, { headers }).then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })

  test('requests by route and outcome, statements by outcome', async () => {
    const before = await server.scrape()
    const grown = async (name: string, labels: Record<string, string>) =>
      valueOf(await server.scrape(), name, labels) - valueOf(before, name, labels)
    expect(await get('/rest/kunde?limit=1')).toBe(200)
    expect(await get('/rest/kunde?nothing=eq.1')).toBe(400)
    expect(await get('/prod-api/notizen/kunde/1/dateien', {})).toBeGreaterThanOrEqual(400)
    expect(await get('/livez')).toBe(200)
    const total = 'forstkontor_requests_total'
    await expect.poll(() => grown(total, { route: '/livez', method: 'GET', outcome: 'ok' })).toBe(1)
    expect(await grown(total, { route: '/rest/*', outcome: 'ok' })).toBe(1)
    expect(await grown(total, { route: '/rest/*', outcome: 'refused' })).toBe(1)
    expect(await grown('forstkontor_request_seconds_count', { route: '/rest/*' })).toBe(2)
    expect(await grown('forstkontor_statements_total', { outcome: 'ok' })).toBeGreaterThanOrEqual(1)
    expect(valueOf(await server.scrape(), 'forstkontor_requests_running')).toBe(0)
  })

  test('pool, waits, and a statement that was refused by a rule', async () => {
    await Promise.all(Array.from({ length: 12 }, () => get('/rest/kunde?limit=5')))
    const figures = await server.scrape()
    const queue = 'database'
    expect(valueOf(figures, 'forstkontor_queue_places', { queue })).toBe(2)
    expect(valueOf(figures, 'forstkontor_queue_waiting', { queue })).toBe(0)
    expect(valueOf(figures, 'forstkontor_connections')).toBeGreaterThanOrEqual(1)
    expect(valueOf(figures, 'forstkontor_reachable')).toBe(1)
    expect(valueOf(figures, 'forstkontor_wait_seconds_count', { queue })).toBeGreaterThan(0)
    expect(valueOf(figures, 'forstkontor_waits_in_vain_total', { queue })).toBe(0)
    const answer = await fetch(`${server.origin}/rest/gutschein`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"rabatt_abo":-1}',
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(
      valueOf(await server.scrape(), 'forstkontor_statements_total', { outcome: 'refused' }),
    ).toBeGreaterThan(0)
  })

  test('what waits in the database, and how the last dump and checks ended', async () => {
    const owner = await createOwnerConnection(server.databaseUrl)
    await owner.script(`
      insert into betrieb.sicherung (zeit, dauer_ms, groesse, engine, ergebnis)
        values (now() - interval '3 hours', 1, 1, 'postgres', 'ok'), (now(), 1, 0, 'postgres', 'fehler');
      insert into idp.post (art, empfaenger, erstellt)
        values ('sperre', 'anna@forst.example', now() - interval '2 hours');
      insert into idp.post (art, empfaenger, erstellt, zustand, versuche) values
        ('passwort', 'bert@forst.example', now() - interval '2 hours', 'hinfaellig', 4),
        ('einladung', 'carl@forst.example', now() - interval '20 hours', 'aufgegeben', 6),
        ('einladung', 'dora@forst.example', now() - interval '3 days', 'aufgegeben', 6),
        ('passwort', 'emil@forst.example', now() - interval '2 hours', 'hinfaellig', 1),
        ('passwort', 'fritz@forst.example', now() - interval '2 hours', 'gesendet', 4)`)
    await owner.close()
    const read = () => server.scrape()
    await expect
      .poll(async () => valueOf(await read(), 'forstkontor_backlog', { kind: 'mails of the sign-in' }), {
        timeout: 45_000,
      })
      .toBeGreaterThan(0)
    const figures = await read()
    expect(
      valueOf(figures, 'forstkontor_backlog_age_seconds', { kind: 'mails of the sign-in' }),
    ).toBeGreaterThan(7_000)
    const lost = { kind: 'mails of the sign-in never sent' }
    expect(valueOf(figures, 'forstkontor_backlog', lost)).toBe(2)
    const dumps = seriesOf(figures).filter(({ labels }) => labels['check'] === 'dump')
    expect(dumps.map(({ name }) => name)).toEqual([
      'forstkontor_check_ok',
      'forstkontor_check_timestamp_seconds',
    ])
    expect(dumps[0]?.value).toBe(0)
    expect(valueOf(figures, 'forstkontor_backlog_read_timestamp_seconds')).toBeGreaterThan(1e9)
    const goodAt = valueOf(figures, 'forstkontor_check_timestamp_seconds', { check: 'dump' })
    expect(Math.abs(Date.now() / 1000 - 3 * 3_600 - goodAt)).toBeLessThan(120)
    expect(valueOf(figures, 'forstkontor_disk_free_bytes', { folder: 'data' })).toBeGreaterThan(1e6)
  })

  test('a check by hand says nothing of the night, and dumps are not asked for where none are made', async () => {
    const owner = await createOwnerConnection(server.databaseUrl)
    const prove = (art: string, ok: boolean, person: number | null) =>
      `insert into app.buchpruefung (art, bis, anzahl, dauer_ms, ok, user_id)
        values ('${art}', 0, 0, 1, ${ok}, ${person ?? 'null'});`
    const booksOf = async (...proofs: string[]) => {
      await owner.script(`begin; set local session_replication_role = replica; ${proofs.join(' ')} commit`)
      const backlog = new Backlog({ now: () => new Date(), folders: {}, dumps: false })
      backlog.attach((work) => work(owner))
      await backlog.refresh()
      expect(new Map(backlog.times()).has('database')).toBe(false)
      return new Map(backlog.results())
    }
    await owner.script(`insert into betrieb.pruefung (zeit, dauer_ms, ergebnis) values (now(), 1, 'ok')`)
    const sound = await booksOf(prove('alles', true, null), prove('dateien', true, null))
    expect([sound.get('books'), sound.has('dump')]).toEqual([1, false])
    expect((await booksOf(prove('alles', false, null))).get('books')).toBe(0)
    expect((await booksOf(prove('dateien', true, 1))).get('books')).toBe(0)
    expect((await booksOf(prove('alles', true, null), prove('dateien', false, null))).get('books')).toBe(0)
    const nightOf = (anchors: boolean) =>
      booksOf(prove('alles', true, null), prove('dateien', true, null), prove('anker', anchors, null))
    expect([(await nightOf(false)).get('books'), (await nightOf(true)).get('books')]).toEqual([0, 1])
    await owner.close()
  })

  test('counting costs less than one per cent of a read', async () => {
    const path = '/rest/kunde?limit=25&select=*'
    const times: number[] = []
    for (let nr = 0; nr < 60; nr++) {
      const from = performance.now()
      await get(path)
      times.push(performance.now() - from)
    }
    const readMs = times.toSorted((a, b) => a - b)[30]!
    const figures = createFigures(
      { version: '0', engine: 'postgres' },
      new Backlog({ now: () => new Date(), folders: {}, dumps: true }),
    )
    const statement = { kind: 'statement', name: 'data-api' } as const
    const [rounds, nothing] = [20_000, () => Promise.resolve()]
    const costs: number[] = []
    for (let again = 0; again < 3; again++) {
      const from = performance.now()
      for (let nr = 0; nr < rounds; nr++) {
        figures.requests.begun()
        await figures.observer.around({ kind: 'wait', name: 'database' }, nothing)
        await figures.observer.around(statement, nothing)
        await figures.observer.around(statement, nothing)
        figures.requests.ended({ route: '/rest/*', method: 'GET', outcome: 'ok', s: 0.003 })
      }
      costs.push((performance.now() - from) / rounds)
    }
    figures.close()
    const costMs = Math.min(...costs)
    expect(costMs / readMs, `${costMs * 1000} µs of ${readMs} ms`).toBeLessThan(0.01)
  })

  test('10,000 different addresses add no more series than there are routes and outcomes', async () => {
    const routes = [
      '/rest/kunde?name=eq.',
      '/rest/',
      '/prod-api/',
      '/prod-api/grundkarte/dop/1/',
      '/anmelden/',
      '/',
    ]
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH']
    let sent = 0
    const one = async (): Promise<void> => {
      while (sent < 10_000) {
        const nr = sent++
        const path = `${routes[nr % routes.length]}geheim-${nr}-${nr * 7919}`
        const answer = await fetch(server.origin + path, {
          method: methods[Math.floor(nr / 7) % methods.length]!,
          headers: nr % 5 === 0 ? { authorization } : { authorization: `Bearer ${nr}` },
        })
        await answer.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: 16 }, one))
    await expect.poll(async () => valueOf(await server.scrape(), 'forstkontor_requests_running')).toBe(0)
    const families = await server.scrape()
    expect(valueOf(families, 'forstkontor_requests_total')).toBeGreaterThan(8_000)
    expect(JSON.stringify(families)).not.toMatch(/geheim|anna|forst\.example|PROPFIND/)
    const labels = families
      .filter(({ name }) => name.startsWith('forstkontor_'))
      .flatMap(({ series }) => series)
    expect(labels.length).toBeLessThan(600)
    expect(seriesOf(families).length).toBeLessThan(800)
  })
})
