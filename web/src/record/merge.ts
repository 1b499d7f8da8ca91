// Merges two versions of the same record: who changed what, field by field, and the result of a choice.

export type Side = 'mine' | 'theirs'
/** A record as a form sees it: the fields that are saved together. */
export type Fields<F extends string> = Readonly<Record<F, unknown>>
export interface Difference<F extends string> {
  readonly field: F
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  /** Both changed it to different values: somebody has to decide. */
  readonly disputed: boolean
}
export type Choice<F extends string> = Partial<Record<F, Side>>

/** Only what differs, so that two people who change different fields do not undo each other's work. */
export function changesOf<F extends string, T extends Fields<F>>(
  fields: readonly F[],
  before: T,
  after: T,
): Partial<Pick<T, F>> {
  return Object.fromEntries(
    fields.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]]),
  ) as Partial<Pick<T, F>>
}

/** Fields in which screen and database differ now; identical changes on both sides need no decision. */
export function differencesOf<F extends string>(
  fields: readonly F[],
  base: Fields<F>,
  mine: Fields<F>,
  theirs: Fields<F>,
): Difference<F>[] {
  return fields
    .filter((field) => mine[field] !== theirs[field])
    .map((field) => ({
      field,
      base: base[field],
      mine: mine[field],
      theirs: theirs[field],
      disputed: mine[field] !== base[field] && theirs[field] !== base[field],
    }))
}

/**
 * A field stays with the side that changed it. A disputed one stays open: a default would be a hidden
 * overwrite.
 */
export function proposeChoice<F extends string>(differences: readonly Difference<F>[]): Choice<F> {
  return Object.fromEntries(
    differences
      .filter(({ disputed }) => !disputed)
      .map(({ field, base, mine }) => [field, mine === base ? 'theirs' : 'mine']),
  ) as Choice<F>
}

export const isDecided = <F extends string>(
  differences: readonly Difference<F>[],
  choice: Choice<F>,
): boolean => differences.every(({ field }) => choice[field] !== undefined)

export function mergeBy<F extends string, T extends Fields<F>>(
  fields: readonly F[],
  choice: Choice<F>,
  mine: T,
  theirs: T,
): T {
  const taken = fields.filter((field) => choice[field] === 'mine').map((field) => [field, mine[field]])
  return { ...theirs, ...Object.fromEntries(taken) }
}

/** What is left to save after the choice; empty if everything is theirs. */
export const mergedChanges = <F extends string, T extends Fields<F>>(
  fields: readonly F[],
  choice: Choice<F>,
  mine: T,
  theirs: T,
): Partial<Pick<T, F>> => changesOf(fields, theirs, mergeBy(fields, choice, mine, theirs))
