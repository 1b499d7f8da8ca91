// In-memory model of the server as the sync sees it, over HTTP: the rules of __o_sync_habitatbaeume and of
// photo uploads as in docs/decisions/habitat.md and photos.md. e2e/fieldwork-capture.test.ts and
// bench/forst/fieldwork.measure.ts test against the real ones.
import { TREE_INPUTS } from '#domain/habitatbaum-fields.ts'
import { createHash } from 'node:crypto'
import type { Habitatbaum, HabitatCapture, HabitatSyncAnswer, InspectionCapture } from '#contract/habitat.ts'
import type { BorderCapture, BorderRow, BorderSyncAnswer } from '#contract/border.ts'
import type { SurveyCapture, SurveyRow, SurveySyncAnswer } from '#contract/vermessung.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const jwt = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`
export const tokenFor = (sub: string): string => jwt({ sub })

interface Upload {
  readonly baum: string
  readonly bild: string
  readonly groesse: number
  readonly said: string
  bytes: Buffer
}

export class ModelServer {
  readonly baeume = new Map<string, Habitatbaum>()
  readonly kontrollen = new Map<string, { habitat_id: number } & InspectionCapture>()
  readonly bilder = new Map<string, { baum: string; sha256: string }>()
  readonly deleted = new Set<string>()
  /** Captures to refuse: kennung → rule and field. */
  readonly refusals = new Map<string, readonly [regel: string, feld: string]>()
  readonly #received = new Set<string>()
  readonly #uploads = new Map<string, Upload>()
  requestCount = 0

  applyChange(identifier: string, values: Partial<Habitatbaum>) {
    const tree = this.baeume.get(identifier)!
    this.baeume.set(identifier, { ...tree, ...values, version: tree.version + 1, geaendert_von: 'Büro' })
  }
  remove(identifier: string) {
    this.baeume.delete(identifier)
    this.deleted.add(identifier)
    for (const [picture, { baum }] of this.bilder)
      if (baum === identifier) {
        this.bilder.delete(picture)
        this.deleted.add(picture)
      }
  }

  sync(captures: readonly HabitatCapture[]): HabitatSyncAnswer[] {
    return captures.map((capture) => {
      const answer = (
        result: HabitatSyncAnswer['ergebnis'],
        more: Partial<HabitatSyncAnswer> = {},
      ): HabitatSyncAnswer => ({
        kennung: capture.kennung,
        ergebnis: result,
        baum: structuredClone(this.baeume.get(capture.kennung) ?? null),
        regel: null,
        feld: null,
        ...more,
      })
      const { kennung, version, idHQ, kontrollen = [], ...fieldValues } = capture
      const refused = this.refusals.get(kennung)
      if (refused !== undefined)
        return answer('abgelehnt', { baum: null, regel: refused[0], feld: refused[1] })
      if (this.deleted.has(kennung)) return answer('geloescht', { baum: null })
      const keys = [...Object.keys(capture), 'code', 'system', 'menge', 'datum', 'ergebnis']
      const digest = `${kennung} ${JSON.stringify(capture, keys.toSorted())}`
      let outcome: HabitatSyncAnswer['ergebnis']
      const present = this.baeume.get(kennung)
      if (present === undefined) {
        if (version !== null) return answer('abgelehnt', { baum: null, regel: 'habitat_nicht_erlaubt' })
        this.baeume.set(kennung, {
          ...Object.fromEntries(TREE_INPUTS.map((field) => [field, null])),
          ...fieldValues,
          id: this.baeume.size + 1 + this.deleted.size,
          kennung,
          idHQ: Number(idHQ),
          client_id: 1,
          version: 1,
          angelegt_am: '2026-11-22T08:00:00Z',
          angelegt_von: 'Feld',
          geaendert_am: '2026-11-22T08:00:00Z',
          geaendert_von: 'Feld',
        } as unknown as Habitatbaum)
        outcome = 'angelegt'
      } else {
        const wanted = { ...present, ...fieldValues }
        if (this.#received.has(digest) || JSON.stringify(wanted) === JSON.stringify(present))
          outcome = 'unveraendert'
        else if ((version ?? 1) !== present.version) outcome = 'konflikt'
        else {
          this.baeume.set(kennung, { ...wanted, version: present.version + 1 })
          outcome = 'geaendert'
        }
      }
      if (outcome === 'angelegt' || outcome === 'geaendert') this.#received.add(digest)
      for (const inspection of kontrollen)
        if (!this.kontrollen.has(inspection.kennung))
          this.kontrollen.set(inspection.kennung, { habitat_id: this.baeume.get(kennung)!.id, ...inspection })
      return answer(outcome)
    })
  }

  /** Survey objects, by the rules of a_sync_vermessung. */
  readonly objects = new Map<string, SurveyRow>()
  syncObjects(captures: readonly SurveyCapture[]): SurveySyncAnswer[] {
    return captures.map((capture) => {
      const { kennung, version, client_id, geloescht, ...fieldValues } = capture
      const answer = (answered: SurveySyncAnswer['ergebnis'], rule: string | null = null) => ({
        kennung,
        ergebnis: answered,
        objekt: rule === null ? structuredClone(this.objects.get(kennung) ?? null) : null,
        regel: rule,
        feld: null,
      })
      const refused = this.refusals.get(kennung)
      if (refused !== undefined) return answer('abgelehnt', refused[0])
      const present = this.objects.get(kennung)
      if (this.deleted.has(kennung) || (present === undefined && version !== null))
        return answer(geloescht === true ? 'entfernt' : 'geloescht')
      const digest = `${kennung} ${JSON.stringify(capture, Object.keys(capture).toSorted())}`
      if (present === undefined) {
        const row = {
          ...fieldValues,
          kennung,
          client_id: Number(client_id),
          version: 1,
          id: this.objects.size + 1,
        }
        this.objects.set(kennung, row as unknown as SurveyRow)
        this.#received.add(digest)
        return answer('angelegt')
      }
      if (this.#received.has(digest)) return answer('unveraendert')
      if ((version ?? 1) !== present.version) return answer('konflikt')
      if (geloescht === true) {
        this.objects.delete(kennung)
        this.deleted.add(kennung)
        return answer('entfernt')
      }
      const wanted = { ...present, ...fieldValues }
      if (JSON.stringify(wanted) === JSON.stringify(present)) return answer('unveraendert')
      this.objects.set(kennung, { ...wanted, version: present.version + 1 })
      this.#received.add(digest)
      return answer('geaendert')
    })
  }

  /** Proposed borders, by the rules of a_sync_grenzvorschlaege. */
  readonly borders = new Map<string, BorderCapture>()
  syncBorders(captures: readonly BorderCapture[]): BorderSyncAnswer[] {
    return captures.map((capture) => {
      const { kennung } = capture
      const answer = (
        answered: BorderSyncAnswer['ergebnis'],
        rule: string | null = null,
      ): BorderSyncAnswer => ({
        kennung,
        ergebnis: answered,
        objekt: rule === null ? ({ ...capture, version: 1, id: 1 } as unknown as BorderRow) : null,
        regel: rule,
        feld: null,
      })
      const refused = this.refusals.get(kennung)
      if (refused !== undefined) return answer('abgelehnt', refused[0])
      const there = this.borders.get(kennung)
      if (there === undefined) {
        this.borders.set(kennung, capture)
        return answer('angelegt')
      }
      return JSON.stringify(there) === JSON.stringify(capture)
        ? answer('unveraendert')
        : answer('abgelehnt', 'grenze_kennung_vergeben')
    })
  }

  /** Has the signature of fetch. */
  readonly respond = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    this.requestCount++
    const { pathname, searchParams } = new URL(String(input))
    const headers = new Headers(init.headers)
    if (headers.get('authorization') === null) return new Response('{}', { status: 401 })
    if (pathname === '/rest/rpc/__o_sync_habitatbaeume')
      return Response.json(
        this.sync((JSON.parse(String(init.body)) as { erfassungen: HabitatCapture[] }).erfassungen),
      )
    if (pathname === '/rest/rpc/a_sync_vermessung')
      return Response.json(
        this.syncObjects((JSON.parse(String(init.body)) as { erfassungen: SurveyCapture[] }).erfassungen),
      )
    if (pathname === '/rest/rpc/a_sync_grenzvorschlaege')
      return Response.json(
        this.syncBorders((JSON.parse(String(init.body)) as { erfassungen: BorderCapture[] }).erfassungen),
      )
    if (pathname === '/rest/habitatbilder' || pathname === '/rest/vermessungsbilder') {
      const asked = (searchParams.get('kennung') ?? '').slice(4, -1).split(',')
      return Response.json(
        asked.flatMap((identifier) =>
          this.bilder.has(identifier) &&
          pathname.endsWith('vermessungsbilder') === this.objects.has(this.bilder.get(identifier)!.baum)
            ? [{ kennung: identifier, sha256: this.bilder.get(identifier)!.sha256 }]
            : [],
        ),
      )
    }
    const [, base, tree, picture, id] =
      /^(\/api\/(?:habitatbaum|vermessungsobjekt\/schacht)\/([^/]+)\/bild\/([^/]+)\/upload)(?:\/(.+))?$/.exec(
        pathname,
      ) ?? []
    const of = base?.startsWith('/api/habitatbaum') === true ? this.baeume : this.objects
    if (base === undefined || tree === undefined || picture === undefined || !of.has(tree))
      return new Response('{}', { status: 404 })
    if (id === undefined) return this.#begin(base, { tree, picture, headers })
    if (id === 'da')
      return new Response(null, {
        status: init.method === 'PATCH' ? 204 : 200,
        headers: { 'Upload-Offset': headers.get('upload-length') ?? '0' },
      })
    const upload = this.#uploads.get(id)
    if (upload === undefined) return new Response('{}', { status: 404 })
    if (init.method === 'HEAD')
      return new Response(null, { headers: { 'Upload-Offset': String(upload.bytes.length) } })
    if (Number(headers.get('upload-offset')) !== upload.bytes.length)
      return new Response('{}', { status: 409 })
    upload.bytes = Buffer.concat([upload.bytes, new Uint8Array(await (init.body as Blob).arrayBuffer())])
    if (upload.bytes.length === upload.groesse) {
      this.#uploads.delete(id)
      if (sha256(upload.bytes) !== upload.said)
        return Response.json({ hint: 'upload_hash', message: 'verfälscht' }, { status: 400 })
      if (this.deleted.has(picture))
        return Response.json({ hint: 'habitat_geloescht', message: 'gelöscht' }, { status: 409 })
      if (this.bilder.has(picture)) throw new Error('a photo came twice')
      this.bilder.set(picture, { baum: tree, sha256: upload.said })
    }
    return new Response(null, { status: 204, headers: { 'Upload-Offset': String(upload.bytes.length) } })
  }

  #begin(
    base: string,
    { tree, picture, headers }: { tree: string; picture: string; headers: Headers },
  ): Response {
    const said = /sha256 ([A-Za-z0-9+/=]+)/.exec(headers.get('upload-metadata') ?? '')?.[1] ?? ''
    const size = Number(headers.get('upload-length'))
    const there = this.bilder.get(picture)
    if (there !== undefined)
      return new Response(null, {
        status: 201,
        headers: {
          Location: `${base}/da`,
          'Upload-Offset': String(size),
        },
      })
    const id = `${picture}-${this.#uploads.size + this.requestCount}`
    this.#uploads.set(id, {
      baum: tree,
      bild: picture,
      groesse: size,
      said: Buffer.from(said, 'base64').toString('latin1'),
      bytes: Buffer.alloc(0),
    })
    return new Response(null, {
      status: 201,
      headers: { Location: `${base}/${id}` },
    })
  }
}

/**
 * A connection that breaks at point `cutAt`, counted over all requests: each has one point before it reaches
 * the server and one after the server has processed it. With -1 it never breaks.
 */
export function breakingAt(
  server: ModelServer,
  cutAt: number,
): { fetch: typeof fetch; punkte: () => number } {
  let point = 0
  const cut = () => {
    if (point++ === cutAt) throw new TypeError('Failed to fetch')
  }
  return {
    punkte: () => point,
    fetch: async (input, init) => {
      cut()
      const answer = await server.respond(input as string, init)
      cut()
      return answer
    },
  }
}

/**
 * A line that carries so many bytes per second and is never down. Time is counted, not waited for; it is that of
 * the requests' own limits.
 */
export function slowLine(
  server: ModelServer,
  bytesPerSecond: number,
): { fetch: typeof fetch; timeout: (ms: number) => AbortSignal; seconds: () => number } {
  let limit = 0
  let spent = 0
  return {
    seconds: () => spent / 1000,
    timeout: (ms) => {
      limit = ms
      return new AbortController().signal
    },
    fetch: async (input, init) => {
      const body = init?.body ?? ''
      const bytes = typeof body === 'string' ? body.length : (body as Blob).size
      const needed = (1000 * bytes) / bytesPerSecond
      spent += Math.min(needed, limit)
      if (needed > limit) throw new DOMException('The operation timed out.', 'TimeoutError')
      return server.respond(input as string, init)
    },
  }
}
