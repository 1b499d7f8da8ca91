// Uploads that can be interrupted and continued (tus 1.0.0). The caller's rights are checked on each request;
// an upload belongs to its place and to the person who began it. After the last byte the file is compared
// with the hash the sender announced, and handed over for use; until then no row refers to it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { forNutzer } from '#server/route-caller.ts'
import { TusServer, type Who } from './tus-server.ts'
import type { TakenUp, UploadOptions, UploadPlace } from './upload-options.ts'

export interface Upload {
  install(app: FastifyInstance): Promise<void>
  /** Removes uploads that were begun and abandoned. */
  tidyUp(): Promise<number>
}

const TUS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Used in place of an upload's name when there is nothing left to send. */
const THERE = 'da'

export function resumableUpload<O extends UploadPlace>(options: UploadOptions<O>): Upload {
  const tus = new TusServer(options)
  const desk = new UploadDesk(options, tus)
  const { route } = options
  return {
    async install(app) {
      // The body goes to the store unparsed: reading it here would take it away from there.
      if (!app.hasContentTypeParser('application/offset+octet-stream'))
        app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) =>
          done(null, undefined),
        )
      app.post(
        route,
        forNutzer((...asked) => desk.create(...asked)),
      )
      app.patch(
        `${route}/:id`,
        forNutzer((...asked) => desk.patch(...asked)),
      )
      app.delete(
        `${route}/:id`,
        forNutzer((...asked) => desk.remove(...asked)),
      )
      app.head(
        `${route}/:id`,
        forNutzer((...asked) => desk.head(...asked)),
      )
    },
    tidyUp: () => tus.tidyUp(),
  }
}

/** The requests of one kind of upload. */
class UploadDesk<O extends UploadPlace> {
  readonly #options: UploadOptions<O>
  readonly #tus: TusServer<O>

  constructor(options: UploadOptions<O>, tus: TusServer<O>) {
    this.#options = options
    this.#tus = tus
  }

  async create(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const who = await this.#whoOf(caller, request)
    let there: TakenUp | null
    try {
      const said = saidHash(request.headers['upload-metadata'])
      there = (await this.#options.there?.(who.ort, said)) ?? null
    } catch (error) {
      const { status_code, body } = this.#tus.told(error)
      return reply
        .code(status_code)
        .headers({ ...TUS, 'content-type': 'application/json; charset=utf-8' })
        .send(body)
    }
    if (there === null) {
      await this.#tus.pass(who, request, reply)
      return undefined
    }
    const { groesse, headers } = there
    return reply
      .code(201)
      .headers({
        ...TUS,
        ...headers,
        location: `${this.#options.prefix}${who.ort.path}/${THERE}`,
        'upload-offset': String(groesse),
      })
      .send()
  }

  /** For a file that exists already: answers that all of it has arrived. */
  async patch(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const who = await this.#whoOf(caller, request)
    if (who.id !== THERE) {
      await this.#tus.pass(who, request, reply)
      return undefined
    }
    const { groesse, headers } = await this.#thereOr404(who.ort)
    return reply
      .code(204)
      .headers({ ...TUS, ...headers, 'upload-offset': String(groesse) })
      .send()
  }

  async remove(caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const who = await this.#whoOf(caller, request)
    if (who.id === THERE) throw new Refusal('not_found')
    await this.#tus.pass(who, request, reply)
  }

  /**
   * How much has arrived. If that is everything, it answers only once the file is taken up: a sender that
   * missed the answer would take the upload for done.
   */
  async head(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const who = await this.#whoOf(caller, request)
    const id = who.id!
    let taken = id === THERE ? await this.#thereOr404(who.ort) : await this.#options.taken(who.ort, id)
    if (taken === null) {
      if (!(await this.#tus.hasAllBytes(id))) {
        await this.#tus.pass(who, request, reply)
        return undefined
      }
      taken = await this.#tus.finish(who.ort, id)
    }
    const size = String(taken.groesse)
    return reply.headers({ ...TUS, ...taken.headers, 'upload-offset': size, 'upload-length': size }).send()
  }

  async #whoOf(caller: Caller, request: FastifyRequest): Promise<Who<O>> {
    const ort = await this.#options.allowed(caller, request)
    const { id } = request.params as { id?: string }
    if (id === undefined || id === THERE) return { ort, id: id ?? null }
    if (!id.startsWith(`${ort.name}-`) || !UUID.test(id.slice(ort.name.length + 1)))
      throw new Refusal('not_found')
    return { ort, id }
  }

  async #thereOr404(ort: O): Promise<TakenUp> {
    const there = (await this.#options.there?.(ort, null)) ?? null
    if (there === null) throw new Refusal('not_found')
    return there
  }
}

/** Reads the metadata in the protocol's notation: names and values in base64, separated by commas. */
function saidHash(metadata: string | string[] | undefined): string | null {
  const found = /(?:^|,)\s*sha256 ([A-Za-z0-9+/=]+)/.exec(String(metadata ?? ''))
  return found === null ? null : Buffer.from(found[1]!, 'base64').toString('latin1').toLowerCase()
}
