// GET of the root: the API describes itself to the caller.
import type { Result, Statement } from '#server/database/database.ts'
import type { Answer } from './outcome.ts'
import type { Catalogue } from './catalogue.ts'
import { badMethod, noMediaType, rootDisabled } from './faults.ts'
import { buildDocument } from './openapi-document.ts'
import { parseAccept } from './parse-media.ts'
import { header, type RawRequest } from './parse-request.ts'
import { readDescription } from './read-openapi.ts'

export interface OpenApiOptions {
  /** `follow-privileges` shows what the caller's role may see. */
  readonly mode: 'follow-privileges' | 'ignore-privileges' | 'disabled'
  /** Address of the server as people type it. */
  readonly origin: string | null
  /** Says that a token is needed. */
  readonly securityActive: boolean
}

interface Asked {
  readonly raw: RawRequest
  readonly schema: string
  readonly role: string
  readonly catalogue: Catalogue
  readonly schemas: readonly string[]
}

const TYPE = 'application/openapi+json'

export class OpenApiWriter {
  readonly #options: OpenApiOptions
  readonly #base: string
  /** Documents by schema and role, as long as the catalogue is the same. */
  readonly #made = new WeakMap<Catalogue, Map<string, string>>()

  constructor(options: Partial<OpenApiOptions> | undefined, base: string) {
    this.#options = { mode: 'follow-privileges', origin: null, securityActive: true, ...options }
    this.#base = base
  }

  /** `run` runs a statement as the caller, whom the database may refuse. */
  async answer(
    asked: Asked,
    run: (statement: Statement) => Promise<Result<Record<string, unknown>>>,
  ): Promise<Answer> {
    if (this.#options.mode === 'disabled') throw rootDisabled()
    const { raw, schema } = asked
    if (raw.method !== 'GET' && raw.method !== 'HEAD') throw badMethod(raw.method, 'OPTIONS, GET, HEAD')
    const accept = header(raw, 'accept')
    const fits = parseAccept(accept).some(
      (wanted) =>
        wanted.kind === 'any' ||
        (wanted.kind === 'built-in' && wanted.media.contentType.startsWith('application/json')) ||
        (wanted.kind === 'other' && wanted.type === TYPE),
    )
    if (!fits) throw noMediaType(accept ?? '')
    return {
      status: 200,
      headers: {
        'Content-Type': `${TYPE}; charset=utf-8`,
        ...(asked.schemas.length > 1 && { 'Content-Profile': schema }),
      },
      body: await this.#document(asked, run),
    }
  }

  async #document(
    { schema, role, catalogue }: Asked,
    run: (statement: Statement) => Promise<Result<Record<string, unknown>>>,
  ): Promise<string> {
    const key = JSON.stringify([schema, role])
    const made = this.#made.get(catalogue) ?? new Map<string, string>()
    const known = made.get(key)
    if (known !== undefined) {
      // Callers who may not call at all are refused here as well.
      await run({ text: 'select 1 as one' })
      return known
    }
    const document = buildDocument({
      catalogue,
      schema,
      description: await readDescription(run, schema),
      byRights: this.#options.mode === 'follow-privileges',
      base: this.#base,
      origin: this.#options.origin,
      securityActive: this.#options.securityActive,
    })
    const text = JSON.stringify(document)
    this.#made.set(catalogue, made.set(key, text))
    return text
  }
}
