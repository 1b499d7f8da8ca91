// Attacks on the running product: foreign ids, forged tokens, forms on other sites, redirects to other sites,
// what remains on a shared machine and in the log.
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../test/chromium.ts'
import { type RunningApp, startApp } from './app.ts'
import { demoPassword, type DemoRole, emailOf, hasBrowser, signIn } from './browser.ts'
import { borrowVisitor } from './reuse.ts'
import { call } from './calls.ts'
import { FORM, PROTOCOL, type Tokens, tokensOf, tryToSignIn, wish } from './http-sign-in.ts'

const OUTSIDERS = [
  'kundenadmin',
  'ogf_standard',
  'ogf_fb_admin',
  'multiple_fb',
  'inactive_fb',
  'appuser',
  'appuser_admin',
  'ogf_init',
] as const
const STAFF = ['ogf_admin', 'ogf_team', 'apus_admin', 'apus_team'] as const
const MISSING = 99_999_999

let app: RunningApp
const people = new Map<DemoRole, Tokens>()
const tokenOf = (role: DemoRole): string => people.get(role)?.access_token ?? ''
const list = async (role: DemoRole, path: string) =>
  (await call(app, tokenOf(role), path)).json as Record<string, unknown>[]

beforeAll(async () => {
  app = await startApp({ env: { LOG_REQUESTS: 'on' } })
  for (const role of [...OUTSIDERS, ...STAFF]) people.set(role, await tokensOf(app, role))
}, 120_000)
afterAll(async () => {
  await app?.stop()
})

describe('foreign ids', () => {
  /** A customer unrelated to all demo accounts, one of its headquarters and one of its people. */
  const foreign = { client_id: 0, hqid: 0, user_id: 0, username: '' }
  beforeAll(async () => {
    const [link] = await list(
      'ogf_admin',
      '/rest/benutzer_hq?select=client_id,hqid,user_id&client_id=gt.100&order=client_id.desc&limit=1',
    )
    Object.assign(foreign, link)
    const [person] = await list('ogf_admin', `/rest/benutzer?select=username&user_id=eq.${foreign.user_id}`)
    foreign.username = String(person?.['username'])
    expect(foreign.hqid).toBeGreaterThan(0)
    await call(
      app,
      tokenOf('ogf_admin'),
      `/rest/kunde?client_id=eq.${foreign.client_id}`,
      { strasse: 'Fremder Weg 1' },
      'PATCH',
    )
    expect(await list('ogf_admin', `/rest/verlauf?client_id=eq.${foreign.client_id}`)).toHaveLength(1)
  })
  const keysOf = (): Record<string, string> => ({
    kunde: `client_id=eq.${foreign.client_id}`,
    hq: `idHQ=eq.${foreign.hqid}`,
    kunde_hq: `hqid=eq.${foreign.hqid}`,
    hq_flaeche: `hqid=eq.${foreign.hqid}`,
    benutzer: `user_id=eq.${foreign.user_id}`,
    benutzer_kunde: `client_id=eq.${foreign.client_id}`,
    benutzer_hq: `hqid=eq.${foreign.hqid}`,
    verlauf: `client_id=eq.${foreign.client_id}`,
    gutschein: 'id=gt.0',
    import_lauf: 'import_id=gt.0',
  })

  test.each(OUTSIDERS)('%s reads none of them, however asked', async (role) => {
    for (const [table, key] of Object.entries(keysOf())) {
      const answer = await fetch(`${app.origin}/rest/${table}?${key}`, {
        headers: { authorization: `Bearer ${tokenOf(role)}`, prefer: 'count=exact' },
      })
      expect(
        [answer.status, answer.headers.get('content-range'), await answer.text()],
        `${role} ${table}`,
      ).toEqual([200, '*/0', '[]'])
    }
    for (const path of [
      `kunde?select=client_id,hq!inner(idHQ)&hq.idHQ=eq.${foreign.hqid}`,
      `hq?select=idHQ,kunde!inner(name)&kunde.client_id=eq.${foreign.client_id}`,
      `benutzer?select=user_id,benutzer_hq!inner(hqid)&benutzer_hq.hqid=eq.${foreign.hqid}`,
      `hq?or=(idHQ.eq.${foreign.hqid},client_id.eq.${foreign.client_id})`,
    ])
      expect(await list(role, `/rest/${path}`), `${role} ${path}`).toEqual([])
  })

  test.each(OUTSIDERS)(
    '%s changes none of them, and learns no more than of ids that do not exist',
    async (role) => {
      const token = tokenOf(role)
      const changes: [
        method: string,
        path: (client: number, hq: number, user: number) => string,
        body?: object,
      ][] = [
        ['PATCH', (client) => `kunde?client_id=eq.${client}&select=client_id`, { ap_tel: '0551 1' }],
        ['PATCH', (_, hq) => `kunde_hq?hqid=eq.${hq}&select=hqid`, { kawm_enabled: true }],
        ['PATCH', (_, hq) => `hq?idHQ=eq.${hq}&select=idHQ`, { fb_enabled: false }],
        ['DELETE', (_, hq) => `hq_flaeche?hqid=eq.${hq}&select=hqid`],
        ['DELETE', (client) => `kunde?client_id=eq.${client}`],
        ['PATCH', (_, __, user) => `benutzer?user_id=eq.${user}`, { system_status: 'admin' }],
      ]
      for (const [method, path, body] of changes) {
        const ask = (ids: [number, number, number]) => call(app, token, `/rest/${path(...ids)}`, body, method)
        const answer = await ask([foreign.client_id, foreign.hqid, foreign.user_id])
        expect(answer, `${role} ${method}`).toEqual(await ask([MISSING, MISSING, MISSING]))
        expect([200, 204, 403, 405], `${role} ${method}`).toContain(answer.status)
        if (answer.status === 200) expect(answer.json).toEqual([])
      }
      const { client_id, hqid, user_id, username } = foreign
      const acts: [name: string, body: object, missing: object][] = [
        ['a_set_projektordner', { client_id, ordner: 'X' }, { client_id: MISSING }],
        ['a_set_kataster_for_client', { client_id, kataster_status: true }, { client_id: MISSING }],
        ['a_add_user', { mail: `neu-${role}@forst.example`, client_id }, { client_id: MISSING }],
        ['a_add_user_to_client', { user_id, client_id }, { user_id: MISSING, client_id: MISSING }],
        ['a_remove_user_from_client', { user_id, client_id }, { user_id: MISSING, client_id: MISSING }],
        [
          'a_set_kunde_rolle',
          { user_id, client_id, rolle: 'admin' },
          { user_id: MISSING, client_id: MISSING },
        ],
        ['a_set_user_enabled', { user_id, enabled: false }, { user_id: MISSING }],
        ['a_set_system_status', { user_id, system_status: 'admin' }, { user_id: MISSING }],
        ['a_set_user_flags', { user_id, apus_team: true, apus_admin: true }, { user_id: MISSING }],
        ['a_set_hq_status', { user_id, hqid, hq_status: ['hq_admin'] }, { user_id: MISSING, hqid: MISSING }],
        ['__o_change_app_status', { user_id, username, status: 'gesperrt' }, { user_id: MISSING }],
        ['__o_connect_user_to_hq', { username, user_id, hqid }, { hqid: MISSING }],
        ['__o_disconnect_user_from_hq', { username, user_id, hqid }, { hqid: MISSING }],
        ['a_get_user_exists', { db_role: 'anna_ahorn_1' }, { db_role: 'gibt_es_nicht' }],
      ]
      for (const [name, body, missing] of acts) {
        const answer = await call(app, token, `/rest/rpc/${name}`, body)
        expect([403, 404], `${role} ${name} ${JSON.stringify(answer.json)}`).toContain(answer.status)
        expect(
          await call(app, token, `/rest/rpc/${name}`, { ...body, ...missing }),
          `${role} ${name}`,
        ).toEqual(answer)
      }
      const reads: [name: string, body: object][] = [
        ['__o_get_user_data', { email: username, id: '' }],
        ['__o_get_user_data', { email: '', id: String(user_id) }],
        ['a_get_appusers_from_client', { client_id }],
        ['a_get_apus_team_from_client', { client_id }],
        ['__o_get_users_from_hq', { client_id: hqid }],
        ['__o_get_hq_details', { hq_id: hqid }],
      ]
      for (const [name, body] of reads)
        expect(await call(app, token, `/rest/rpc/${name}`, body), `${role} ${name}`).toEqual({
          status: 200,
          json: [],
        })
    },
  )

  test.each(OUTSIDERS)('%s gets nothing from the general API', async (role) => {
    const token = tokenOf(role)
    const hqs = (id: number) => call(app, token, `/prod-api/get_hqs_from_user/?user_id=${id}`)
    expect(await hqs(foreign.user_id)).toMatchObject({ status: 403, json: { code: 40300, data: null } })
    expect(await hqs(MISSING)).toEqual(await hqs(foreign.user_id))
    expect((await call(app, token, '/prod-api/betrieb')).status).toBe(403)
    for (const act of ['konto', 'einladung', 'entsperren', 'sitzungen-beenden', 'zweiter-faktor-entfernen']) {
      const answer = await call(app, token, `/prod-api/${act}`, { user_id: foreign.user_id })
      expect(answer, `${role} ${act}`).toMatchObject({ status: 403, json: { data: null } })
      expect(await call(app, token, `/prod-api/${act}`, { user_id: MISSING })).toEqual(answer)
    }
  })

  test('the fault of a refused area does not tell a foreign customer’s system', async () => {
    const area = 'SRID=3857;MULTIPOLYGON(((0 0,1 0,1 1,0 0)))'
    const draw = (client_id: number) =>
      call(app, tokenOf('ogf_standard'), '/rest/hq_flaeche', { hqid: MISSING, client_id, geom: area })
    expect(await draw(foreign.client_id)).toMatchObject({ status: 403 })
    expect(await draw(MISSING)).toEqual(await draw(foreign.client_id))
  })

  test('no admin of a headquarters draws the provider’s staff into it to read their record', async () => {
    const [me] = await list('ogf_fb_admin', '/rest/benutzer_hq?select=hqid&limit=1')
    const [admin] = await list(
      'ogf_admin',
      `/rest/benutzer?select=user_id,username&email=eq.${emailOf('ogf_admin')}`,
    )
    const answer = await call(app, tokenOf('ogf_fb_admin'), '/rest/rpc/__o_connect_user_to_hq', {
      ...admin,
      hqid: me?.['hqid'],
    })
    expect(answer.status).toBe(403)
    expect(await list('ogf_fb_admin', `/rest/benutzer?user_id=eq.${String(admin?.['user_id'])}`)).toEqual([])
  })

  test('no admin of one half of the provider gets a link to the account of the other half’s', async () => {
    for (const [caller, other] of [
      ['apus_admin', 'ogf_admin'],
      ['ogf_admin', 'apus_admin'],
    ] as const) {
      const [person] = await list('ogf_team', `/rest/benutzer?select=user_id&email=eq.${emailOf(other)}`)
      for (const act of ['einladung', 'zweiter-faktor-entfernen'])
        expect(
          (await call(app, tokenOf(caller), `/prod-api/${act}`, person)).status,
          `${caller} ${act} ${other}`,
        ).toBe(403)
    }
  })

  test('no survey admin of a customer gets a link to the account of its forest admin', async () => {
    const [own] = await list('appuser_admin', '/rest/kunde?select=client_id')
    const added = await call(app, tokenOf('ogf_admin'), '/rest/rpc/a_add_user', {
      mail: 'forst@haus.example',
      ...own,
    })
    const { user_id } = added.json as { user_id: number }
    await call(app, tokenOf('ogf_admin'), '/rest/rpc/a_set_kunde_rolle', {
      user_id,
      ...own,
      rolle: 'kundenadmin',
    })
    expect((await call(app, tokenOf('appuser_admin'), '/prod-api/einladung', { user_id })).status).toBe(403)
    expect(
      (await call(app, tokenOf('appuser_admin'), '/rest/rpc/a_remove_user_from_client', { user_id, ...own }))
        .status,
    ).toBe(403)
  })

  test('no admin gets a link to an account that is in use, whatever was done to it before', async () => {
    const [own] = await list('appuser_admin', '/rest/kunde?select=client_id')
    const [person] = await list('ogf_admin', `/rest/benutzer?select=user_id&email=eq.${emailOf('appuser')}`)
    await call(app, tokenOf('ogf_admin'), '/rest/rpc/a_add_user_to_client', {
      ...person,
      ...own,
      kataster_enabled: false,
    })
    for (const link of (
      await list(
        'ogf_admin',
        `/rest/benutzer_kunde?select=client_id&user_id=eq.${String(person?.['user_id'])}`,
      )
    ).filter(({ client_id }) => client_id !== own?.['client_id']))
      await call(app, tokenOf('ogf_admin'), '/rest/rpc/a_remove_user_from_client', { ...person, ...link })
    expect(await call(app, tokenOf('appuser_admin'), '/prod-api/konto', person)).toMatchObject({
      status: 200,
    })
    expect(await call(app, tokenOf('appuser_admin'), '/prod-api/einladung', person)).toMatchObject({
      status: 409,
      json: { data: null },
    })
    for (const act of ['zweiter-faktor-entfernen', 'sitzungen-beenden', 'entsperren'])
      expect((await call(app, tokenOf('ogf_admin'), `/prod-api/${act}`, person)).status).toBe(200)
    expect(await call(app, tokenOf('ogf_admin'), '/prod-api/einladung', person)).toMatchObject({
      status: 409,
      json: { data: null },
    })
  })
})

describe('credentials', () => {
  const TARGETS = [
    '/rest/kunde',
    '/rest/rpc/a_get_currentuser',
    '/prod-api/get_hqs_from_user/?user_id=1',
    '/prod-api/betrieb',
    '/realms/master/account',
  ]
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('forged tokens and tokens of another kind are refused everywhere', async () => {
    const { access_token, id_token, refresh_token } = people.get('kundenadmin') as Tokens
    const [head = '', body = '', signature = ''] = access_token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object
    const keys = (await (await fetch(`${app.origin}${PROTOCOL}/certs`)).text()).trim()
    const hmac = (key: string) => {
      const text = `${encode({ ...header, alg: 'HS256' })}.${body}`
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    }
    const [n] = (JSON.parse(keys) as { keys: { n: string }[] }).keys
    const forged = [
      id_token,
      refresh_token,
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'none' })}.${body}.${signature}`,
      `${encode({ ...header, jku: 'http://127.0.0.1:1/keys' })}.${body}.${signature}`,
      `${encode({ ...header, kid: '../../../dev/null' })}.${body}.${signature}`,
      `${head}.${encode({ ...claims, groups: ['appuser_apus_admin'] })}.${signature}`,
      `${head}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${head}.${body}.${'A'.repeat(signature.length)}`,
      `${head}.${body}`,
      hmac(keys),
      hmac(n?.n ?? ''),
      hmac(''),
    ]
    for (const token of forged)
      for (const target of TARGETS)
        expect((await call(app, token, target)).status, `${token.slice(0, 40)} ${target}`).toBe(401)
    expect((await call(app, access_token, '/rest/kunde?limit=1')).status).toBe(200)
  })

  test('two credentials that differ are no credential', async () => {
    const token = tokenOf('kundenadmin')
    const path = '/prod-api/get_hqs_from_user/?user_id=6'
    expect((await call(app, token, `${path}&token=${tokenOf('ogf_admin')}`)).status).toBe(400)
    expect((await call(app, token, `${path}&token=${token}`)).status).toBe(200)
    expect((await call(app, 'x', `/prod-api/betrieb?token=${tokenOf('ogf_admin')}`)).status).toBe(401)
  })

  test('unlocking a person brings none of their earlier sessions back', async () => {
    const before = await tokensOf(app, 'multiple_fb')
    const [person] = await list(
      'ogf_admin',
      `/rest/benutzer?select=user_id&email=eq.${emailOf('multiple_fb')}`,
    )
    const renew = async ({ refresh_token }: Tokens) => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'ogf-web', refresh_token })
      return (await fetch(`${app.origin}${PROTOCOL}/token`, { method: 'POST', headers: FORM, body })).status
    }
    for (const enabled of [false, true]) {
      const done = await call(app, tokenOf('ogf_admin'), '/rest/rpc/a_set_user_enabled', {
        ...person,
        enabled,
      })
      expect(done.status).toBe(204)
      expect((await call(app, before.access_token, '/rest/hq?limit=1')).status).toBe(401)
    }
    expect(await renew(before)).toBe(400)
    const after = await tokensOf(app, 'multiple_fb')
    expect((await call(app, after.access_token, '/rest/hq?limit=1')).status).toBe(200)
    expect(await renew(after)).toBe(200)
  })

  test('a lock counts all spellings of an address together', async () => {
    const email = emailOf('inactive_fb')
    for (const spelling of [
      email,
      email.toUpperCase(),
      ` ${email}`,
      email.replace('i', '\u0130'),
      email.replace('k', '\u212a'),
    ]) {
      const right = await tryToSignIn(app.origin, spelling, demoPassword(app))
      if (right.returned === null) expect(right.alert).toContain('stimmen nicht')
      else expect(spelling.trim().toLowerCase()).toBe(email)
    }
    for (let failure = 0; failure < 5; failure++)
      await tryToSignIn(app.origin, failure % 2 ? email : email.toUpperCase(), 'falsch falsch falsch')
    for (const spelling of [
      email,
      email.toUpperCase(),
      email.replace('i', '\u0130'),
      email.replace('k', '\u212a'),
    ])
      expect((await tryToSignIn(app.origin, spelling, demoPassword(app))).returned, spelling).toBeNull()
    const unknown = 'niemand@nirgends.example'
    const alerts = []
    for (let failure = 0; failure < 6; failure++)
      alerts.push((await tryToSignIn(app.origin, unknown, 'falsch falsch falsch')).alert)
    expect(alerts[0]).toContain('stimmen nicht')
    expect(alerts[5]).toContain('gesperrt')
  })
})

describe('foreign pages', () => {
  test('forms are taken from our own pages alone', async () => {
    const send = async (headers: Record<string, string>) =>
      (
        await fetch(`${app.origin}/anmelden/vergessen`, {
          method: 'POST',
          headers: { ...FORM, 'x-forwarded-for': '10.250.0.1', ...headers },
          body: 'email=a%40b.de',
        })
      ).status
    const own = app.origin
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'http://forst.example' },
      { origin: `${own}.forst.example` },
      { origin: own, 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: 'http://forst.example' },
      { referer: `${own}/` },
    ] as Record<string, string>[])
      expect(await send(headers), JSON.stringify(headers)).toBe(403)
    expect(await send({ origin: own })).toBe(200)
    expect(await send({ origin: own, 'content-type': 'text/plain' })).toBe(415)
    expect(await send({ origin: own, 'content-type': 'application/json' })).toBe(415)
  })

  test('no API answers a page of another origin, and a session cookie is no credential for one', async () => {
    for (const path of ['/rest/kunde', '/prod-api/betrieb', '/config/app.json']) {
      const answer = await fetch(app.origin + path, {
        headers: {
          origin: 'http://forst.example',
          cookie: 'fk_sitzung=x',
          authorization: `Bearer ${tokenOf('ogf_admin')}`,
        },
      })
      expect(answer.headers.get('access-control-allow-origin'), path).toBeNull()
    }
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'ogf-web',
      refresh_token: people.get('ogf_team')?.refresh_token ?? '',
    })
    const answer = await fetch(`${app.origin}${PROTOCOL}/token`, {
      method: 'POST',
      headers: { ...FORM, origin: 'http://forst.example' },
      body,
    })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, null])
  })

  test('codes go back to one address, and only with PKCE', async () => {
    const { host } = new URL(app.origin)
    const ask = (change: Record<string, string>) =>
      fetch(
        `${app.origin}${PROTOCOL}/auth?${new URLSearchParams({ ...wish(app.origin, 'v'.repeat(43)), ...change })}`,
        {
          redirect: 'manual',
        },
      )
    for (const redirect_uri of [
      `${app.origin}/auth-redirect/`,
      `${app.origin}/auth-redirect?x=1`,
      `${app.origin}/auth-redirect/../login`,
      `${app.origin}@forst.example/auth-redirect`,
      `${app.origin}\\@forst.example/auth-redirect`,
      `http://127.0.0.1:${app.port}/auth-redirect`,
      `//${host}/auth-redirect`,
      'http://forst.example/auth-redirect',
      'javascript:alert(1)',
    ]) {
      const answer = await ask({ redirect_uri })
      expect([answer.status, answer.headers.get('location')], redirect_uri).toEqual([400, null])
    }
    for (const change of [
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { response_type: 'token' },
      { request_uri: 'http://127.0.0.1:1/' },
    ])
      expect((await ask(change)).headers.get('location'), JSON.stringify(change)).toMatch(
        /^http:\/\/localhost:\d+\/auth-redirect[?#]error=/,
      )
    for (const post_logout_redirect_uri of [
      'http://forst.example/',
      `${app.origin}//forst.example`,
      `${app.origin}/x`,
    ]) {
      const answer = await fetch(
        `${app.origin}${PROTOCOL}/logout?${new URLSearchParams({ client_id: 'ogf-web', post_logout_redirect_uri })}`,
        { redirect: 'manual' },
      )
      expect(answer.status, post_logout_redirect_uri).toBe(400)
    }
  })
})

/** Sent as is: fetch would normalize the address. */
const raw = (text: string) =>
  new Promise<string>((resolve) => {
    let answer = ''
    const socket = connect(app.port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (piece) => {
      answer += piece.toString('latin1')
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', () => resolve(answer))
    socket.setTimeout(3_000, () => socket.destroy())
  })
const get = (path: string, host = `localhost:${app.port}`) =>
  raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`)

describe('answers', () => {
  test('carry the security headers, whoever made them', async () => {
    for (const path of [
      '/',
      '/kunden/index',
      '/favicon.svg',
      '/assets/missing.js',
      '/missing.js',
      '/%',
      '/%00',
      '/config/app.json',
      '/healthz',
      '/rest/kunde',
      '/rest/%',
      '/prod-api/missing',
      '/prod-api/betrieb',
      '/anmelden/vergessen',
      '/anmelden/missing',
      '/anmelden/anmelden.css',
      '/anmelden/vorgang/x',
      `${PROTOCOL}/auth`,
      `${PROTOCOL}/certs`,
      '/realms/master/account',
      '/realms/master/missing',
    ]) {
      const [head = ''] = (await get(path)).toLowerCase().split('\r\n\r\n')
      expect(head, path).toMatch(/^http\/1\.1 [2-4]\d\d /)
      expect(head, path).toMatch(
        /content-security-policy: default-src '(?:none|self)'[^\r]*frame-ancestors 'none'/,
      )
      expect(head, path).not.toMatch(/content-security-policy:[^\r]*unsafe/)
      expect(head, path).toContain('x-content-type-options: nosniff')
      expect(head, path).toContain('x-frame-options: deny')
      expect(head, path).toMatch(/referrer-policy: (?:same-origin|strict-origin)\r/)
      expect(head, path).not.toMatch(/\r\n(?:server|x-powered-by):/)
    }
  })

  test('with personal data are stored by nobody', async () => {
    for (const path of [
      '/rest/kunde?limit=1',
      '/prod-api/betrieb',
      '/realms/master/account',
      '/prod-api/get_hqs_from_user/?user_id=1',
    ]) {
      const answer = await fetch(app.origin + path, {
        headers: { authorization: `Bearer ${tokenOf('ogf_admin')}` },
      })
      expect([answer.status, answer.headers.get('cache-control')], path).toEqual([200, 'no-store'])
    }
  })

  test('of files come from the build alone, and the demo is not there', async () => {
    for (const path of [
      '/..%2f..%2fpackage.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/../../../package.json',
      '/.git/config',
      '/config/../data/secrets/idp',
    ])
      expect(await get(path), path).not.toMatch(/"dependencies"|\[core\]/)
    for (const path of ['/user/info?token=admin-token', '/routes', '/article/list'])
      expect(await get(`/prod-api/vue-element-admin${path}`)).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('go to this machine under its own name alone, and to whole requests', async () => {
    for (const host of ['forst.example', `localhost.forst.example:${app.port}`, '', `10.0.0.1:${app.port}`])
      for (const path of ['/', '/rest/kunde', '/config/app.json', `${PROTOCOL}/certs`])
        expect(await get(path, host), `${host} ${path}`).toMatch(/^HTTP\/1\.1 40[03] /)
    const start = `POST /rest/kunde HTTP/1.1\r\nHost: localhost:${app.port}\r\n`
    for (const rest of [
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
      'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
      'X: a\r\n b\r\n\r\n',
    ])
      expect(await raw(start + rest), rest).toMatch(/^HTTP\/1\.1 400 /)
    expect(
      await raw(`GET / HTTP/1.1\r\nHost: localhost:${app.port}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe.skipIf(!hasBrowser())('in the browser', () => {
  const launch = () => {
    const executablePath = findChromium()
    if (executablePath === undefined) throw new Error('no Chromium is installed')
    // Like a real browser, with the back-forward cache that the test driver switches off.
    return chromium.launch({
      executablePath,
      args: ['--no-sandbox'],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
  }

  test('no redirect leads away, before the sign-in or after it', async () => {
    const browser = await launch()
    try {
      const visitor = await borrowVisitor(browser, app)
      const { page } = visitor
      const left: string[] = []
      page.on('request', (request) => {
        const { host, protocol } = new URL(request.url())
        if (host !== new URL(app.origin).host && protocol.startsWith('http')) left.push(request.url())
      })
      await signIn(visitor, app, 'ogf_admin', '/redirect/%2F%2Fforst.example')
      for (const target of [
        '//forst.example',
        'https://forst.example',
        '/\\forst.example',
        '/\t/forst.example',
        '/.//forst.example',
        'javascript:alert(1)',
        '//forst.example@localhost',
        '%2F%2Fforst.example',
      ]) {
        for (const path of [
          `/login?redirect=${encodeURIComponent(target)}`,
          `/redirect/${target.replace('\t', '%09')}`,
        ]) {
          // Within the page, as a link would do it; loading a new page each time would be throttled as a
          // sign-in loop.
          await page.evaluate((to) => {
            history.pushState(null, '', to)
            dispatchEvent(new PopStateEvent('popstate'))
          }, path)
          await page.waitForFunction(() => !/^\/(?:login|redirect)/.test(location.pathname))
          expect(new URL(page.url()).origin, path).toBe(app.origin)
        }
      }
      expect(left).toEqual([])
    } finally {
      await browser.close()
    }
  }, 60_000)

  test('after signing out nothing is left on the machine, not behind the back button either', async () => {
    const browser = await launch()
    try {
      const visitor = await borrowVisitor(browser, app)
      const { page, context } = visitor
      await signIn(visitor, app, 'ogf_admin', '/kunden/index')
      await page.getByText('500 Kunden').waitFor()
      const name = (await page.getByRole('row').nth(1).getByRole('link').first().textContent()) ?? ''
      expect(name.length).toBeGreaterThan(3)
      const stored = await page.evaluate(() => ({ ...localStorage }))
      const others = Object.keys(stored).filter((key) => !key.startsWith('forstkontor.'))
      expect(others.toSorted()).toEqual(['Admin-Token', 'geraet.anmeldedienst'])
      const refresh = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
      expect(refresh).not.toContain('refresh_token')
      await page.getByRole('button', { name: /^Benutzermenü/ }).click()
      await page.getByRole('menuitem', { name: 'Abmelden' }).click()
      await page.waitForURL(/\/login/)
      const left = await page.evaluate(async () => ({
        text: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
        // The location of the sign-in service, and that someone signed out here: neither says who.
        keys: Object.keys({ ...localStorage, ...sessionStorage }).filter(
          (key) => !['abgemeldet', 'geraet.anmeldedienst'].includes(key),
        ),
        databases: await indexedDB.databases(),
        caches: await caches.keys(),
      }))
      expect(left).toMatchObject({ databases: [], caches: [], keys: [] })
      expect(left.text).not.toMatch(/eyJ|@probe|Admin-Token/)
      expect(
        (await context.cookies())
          .map((cookie) => cookie.name)
          .filter((cookie) => cookie.startsWith('fk_sitzung')),
      ).toEqual([])
      await page.goBack({ waitUntil: 'commit' })
      await page.waitForURL(/\/login/)
      expect(await page.getByText(name).count()).toBe(0)
      await page
        .getByRole('button', { name: /anmelden/i })
        .first()
        .waitFor()
    } finally {
      await browser.close()
    }
  }, 60_000)
})

// Last, because it reads what everything above has logged.
test('the log holds no token, no password, no address and no query', () => {
  const lines = app
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(lines.length).toBeGreaterThan(300)
  const log = lines.join('\n')
  expect(log).not.toContain(demoPassword(app))
  expect(log).not.toMatch(/eyJ|@probe|@forst|@haus|nirgends|anna_ahorn|user_id=|falsch|Fremder Weg/)
  for (const { refresh_token } of people.values()) expect(log).not.toContain(refresh_token)
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})
