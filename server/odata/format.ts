// Which form of answer a program asks for: how much JSON says besides the values, and how large numbers are written.
import { Refusal } from '#server/errors.ts'

export interface Form {
  readonly metadata: 'none' | 'minimal' | 'full'
  /** Int64 and Decimal as texts, for programs whose numbers are doubles. */
  readonly exact: boolean
}

const LEVELS: readonly Form['metadata'][] = ['none', 'minimal', 'full']

interface Media {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly weight: number
}

const MOST_TYPES = 50

function readMedia(header: string): Media[] {
  const parts = header.split(',')
  if (parts.length > MOST_TYPES)
    throw new Refusal('bad_value', `Accept nennt höchstens ${MOST_TYPES} Formate.`)
  return parts
    .map((part) => {
      const [type = '', ...rest] = part.split(';').map((piece) => piece.trim())
      const parameters = new Map(
        rest.map((piece) => {
          const [name = '', value = ''] = piece.split('=')
          return [name.trim().toLowerCase(), value.trim().toLowerCase()] as const
        }),
      )
      return { type: type.toLowerCase(), parameters, weight: Number(parameters.get('q') ?? 1) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
}

const formOf = ({ parameters }: Media): Form => ({
  metadata:
    LEVELS.find((level) => level === (parameters.get('odata.metadata') ?? parameters.get('metadata'))) ??
    'minimal',
  exact: parameters.get('ieee754compatible') === 'true',
})

/** `$format` takes precedence over Accept. Null: nothing that is asked for can be given. */
export function chooseForm(format: string | undefined, accept: string | undefined): Form | null {
  const asked = readMedia(format ?? accept ?? '*/*')
  const media = asked.find(
    ({ type }) => type === 'json' || type === 'application/json' || (format === undefined && ANY.has(type)),
  )
  return media === undefined ? null : formOf(media)
}
const ANY: ReadonlySet<string> = new Set(['*/*', 'application/*'])

/** JSON only for who asks for nothing else: programs that read OData 4.0 expect XML, whatever else they take. */
export function wantsMetadataJson(format: string | undefined, accept: string | undefined): boolean {
  const types = readMedia(format ?? accept ?? '*/*').map(({ type }) => type)
  return types.length > 0 && types.every((type) => type === 'json' || type === 'application/json')
}

export const contentType = ({ metadata, exact }: Form): string =>
  `application/json;odata.metadata=${metadata}${exact ? ';IEEE754Compatible=true' : ''};charset=utf-8`

/** How many rows of a page the program prefers. */
export function preferredPage(prefer: string): number | null {
  const [, size] = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})"?(?=$|[,;\s])/i.exec(prefer) ?? []
  return size === undefined || Number(size) === 0 ? null : Number(size)
}
