// How fast the data API answers the list and the map of 100,000 trees, for a linked forester through row security.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDataApi } from '../../server/data-api/data-api.ts'
import type { Database, OwnerConnection } from '../../server/database/database.ts'
import { silentLog } from '../../server/log.ts'
import { CHECK_REQUEST } from '../../server/nutzer.ts'
import { atMost, type Figure, median, p95, shown } from '../figures.ts'
import { CLAIMS, KUNDE } from '../maps/world.ts'
import {
  TREES,
  blockAddress,
  countAddress,
  FILTER,
  fillTrees,
  listAddress,
  ORDER,
  extentAddress,
} from './trees.ts'

const HQ = 1
const CENTRE = [1_110_000, 6_623_000] as const

export async function world(owner: OwnerConnection): Promise<void> {
  await owner.query(
    `insert into app.benutzer (user_id, email, username, first_name, last_name, system_status, enabled)
      values (2, 'forst@bench.test', 'forst', 'Stefan', 'Stieleiche', 'ogf_standard', true)`,
  )
  await owner.query(
    `insert into accounts.identitaet (iss, sub, user_id, sessions_valid_after)
      values ('${CLAIMS.iss}', 'forst', 2, to_timestamp(0))`,
  )
  await owner.query(
    `insert into app.hq ("idHQ", client_id, "sHQ", fb_enabled, "dcFLAEHB")
      select n, ${KUNDE}, 'Revier ' || n, true, 20000
      from generate_series(1, 4) n`,
  )
  await owner.query(`update app.kunde_hq set kawm_enabled = true, kawm_approval_date = '2025-06-01'`)
  await owner.query(
    `insert into app.hq_flaeche (hqid, client_id, geom)
      select 1, ${KUNDE},
        public.st_multi(public.st_transform(public.st_makeenvelope(9.93, 50.955, 10.069, 51.045, 4326),
        25833))`,
  )
  await owner.query(
    `insert into app.benutzer_hq (client_id, hqid, user_id, hq_status)
      select ${KUNDE}, n, 2, '{hq_user}'
      from generate_series(1, 4) n`,
  )
  await fillTrees(owner, HQ, [2, 3, 4])
}

async function served(database: Database): Promise<{ origin: string; server: Server }> {
  const claims = JSON.stringify({
    ...CLAIMS,
    sub: 'forst',
    email: 'forst@bench.test',
    groups: ['appuser_validated'],
  })
  const api = createDataApi({
    database,
    schemas: ['app'],
    base: '/rest',
    role: 'nutzer',
    authenticate: () => ({ claimsJson: claims }),
    preRequest: CHECK_REQUEST,
    limits: { maxRows: 10_000 },
    log: silentLog,
  })
  if (!(await api.ready())) throw new Error('no catalogue')
  const server = createServer((request, response) => void api.handle(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest`, server }
}

/** Milliseconds of each round after two warm-up rounds, and the last answer's text. */
async function ask(
  origin: string,
  path: string,
  rounds: number,
  init: RequestInit = {},
): Promise<{ times: number[]; text: string }> {
  const times: number[] = []
  let text = ''
  for (let round = -2; round < rounds; round++) {
    const began = performance.now()
    const answer = await fetch(`${origin}/${path}`, {
      ...init,
      headers: { authorization: 'Bearer x', ...init.headers },
    })
    text = await answer.text()
    if (round >= 0) times.push(performance.now() - began)
    if (answer.status !== 200 && answer.status !== 206) throw new Error(`${path}: ${answer.status} ${text}`)
  }
  return { times, text }
}
const call = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export async function answers(database: Database): Promise<Figure[]> {
  const { engine } = database
  const name = engine === 'postgres' ? 'PostgreSQL' : 'embedded'
  const { origin, server } = await served(database)
  const figures: Figure[] = []
  const ROUNDS = 5
  // reliability.md, row 28: a mixed load on 100,000 rows.
  const mixed = engine === 'postgres' ? 200 : 300
  try {
    const lists: number[] = []
    for (const [filterName, filter] of Object.entries(FILTER)) {
      const times: number[] = []
      for (const order of filterName === 'all trees' || filterName === 'species'
        ? Object.values(ORDER)
        : [ORDER['number']!])
        for (const rows of [25, 50])
          times.push(...(await ask(origin, listAddress(HQ, filter, order, rows), ROUNDS)).times)
      lists.push(...times)
      figures.push(shown(`list of ${TREES} trees, ${filterName}, ${name}, p95`, p95(times), 'ms'))
    }
    figures.push(
      atMost(
        `list of ${TREES} trees, all filters and orders, ${name}, p95 (reliability.md, row 28)`,
        mixed,
        p95(lists),
        'ms',
      ),
    )
    const last = await ask(origin, listAddress(HQ, '', ORDER['number']!, 25, TREES - 25), ROUNDS)
    figures.push(shown(`last page of the list, ${name}, p95`, p95(last.times), 'ms'))
    const counts: number[] = []
    for (const filter of Object.values(FILTER))
      counts.push(
        ...(await ask(origin, countAddress(HQ, filter), ROUNDS, { headers: { prefer: 'count=exact' } }))
          .times,
      )
    figures.push(atMost(`count, ${name}, p95 (reliability.md, row 28)`, mixed, p95(counts), 'ms'))
    figures.push(...(await mapAnswers(origin, name, engine === 'postgres' ? 30 : 60, mixed)))
    for (const rpc of ['__o_get_kawm', 'a_get_habitat_pruefung'])
      figures.push(
        shown(
          `${rpc}, ${name}, median`,
          median((await ask(origin, `rpc/${rpc}`, 3, call({ idHQ: HQ }))).times),
          'ms',
        ),
      )
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return figures
}

async function mapAnswers(origin: string, name: string, near: number, mixed: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const [extent, closeBy, distant]: [number[], number[], number[]] = [[], [], []]
  let [largest, most] = [0, 0]
  for (const filter of Object.values(FILTER))
    extent.push(...(await ask(origin, extentAddress(HQ, filter), 3)).times)
  figures.push(
    atMost(`map: how many trees and where, ${name}, p95 (reliability.md, row 28)`, mixed, p95(extent), 'ms'),
  )
  for (const level of [null, 5, 6, 7, 8, 9, 10, 11, 13]) {
    const times: number[] = []
    for (const filter of [FILTER['all trees']!, FILTER['species']!, FILTER['several at once']!])
      for (const [dx, dy] of [
        [0, 0],
        [900, -700],
        [-1500, 1100],
      ] as const) {
        const { times: own, text } = await ask(
          origin,
          blockAddress(HQ, filter, level, CENTRE[0] + dx, CENTRE[1] + dy),
          3,
        )
        times.push(...own)
        largest = Math.max(largest, Buffer.byteLength(text))
        most = Math.max(most, (JSON.parse(text) as unknown[]).length)
      }
    // A tile of level 13 in the reference holds about 850 of 100,000 trees on 30 by 38 km. Here they stand on
    // 10 by 10 km, and a block with cells of 2^6 metres holds 1,700.
    ;(level === null || level <= 6 ? closeBy : distant).push(...times)
    figures.push(
      shown(
        `map: block of ${level === null ? 'single trees' : `cells of ${2 ** level} m`}, ${name}, median`,
        median(times),
        'ms',
      ),
    )
  }
  return [
    ...figures,
    atMost(
      `map: block of as many trees as a tile from level 13 on, ${name}, p95 (maps.md, row 8)`,
      near,
      p95(closeBy),
      'ms',
    ),
    atMost(`map: larger block, ${name}, p95 (reliability.md, row 28)`, mixed, p95(distant), 'ms'),
    atMost(`map: largest block, ${name} (maps.md, row 9)`, 300, largest / 1024, 'kB'),
    atMost(`map: signs of a block, ${name} (maps.md, row 11)`, 3_000, most, ''),
  ]
}
