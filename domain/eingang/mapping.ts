// How a syntax is described: groups with their place and the places of their terms (paths.ts).

export type TermPath = readonly [id: string, path: string]

export interface GroupMap {
  readonly id: string
  /** From the element of the outer group; '': the same element. */
  readonly path: string
  readonly terms: readonly TermPath[]
  readonly groups?: readonly GroupMap[]
  /** The term whose code, three letters between two #, may stand in front of the text of the only path. */
  readonly codeInFront?: string
}

/** How a syntax writes addresses and contacts, the same for every party. */
interface PartyStyle {
  readonly address: string
  /** Two lines and a third, city, postcode, region, country. */
  readonly lines: readonly string[]
  readonly contact: string
  /** Name, telephone, mail address. */
  readonly reached: readonly string[]
}

interface PartySpec {
  readonly id: string
  readonly path: string
  readonly terms: readonly TermPath[]
  /** If not where the syntax has it. */
  readonly addressAt?: string
  readonly address?: readonly [id: string, terms: readonly string[]]
  readonly contact?: readonly [id: string, terms: readonly string[]]
}

export const partyMap =
  (style: PartyStyle) =>
  ({ id, path, terms, address, addressAt = style.address, contact }: PartySpec): GroupMap => {
    const group = (
      own: readonly [string, readonly string[]] | undefined,
      at: string,
      paths: readonly string[],
    ): GroupMap[] =>
      own === undefined
        ? []
        : [{ id: own[0], path: at, terms: own[1].map((name, index) => [name, paths[index]!] as const) }]
    return {
      id,
      path,
      terms,
      groups: [...group(address, addressAt, style.lines), ...group(contact, style.contact, style.reached)],
    }
  }
