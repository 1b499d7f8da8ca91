// Two people changed the same customer: what each of them did, field by field, and what comes of a choice.
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'
import { changesOf, type KundeFields } from './kunde-form.ts'

export type Side = 'mine' | 'theirs'
export interface Difference {
  readonly field: FormField
  readonly base: KundeFields[FormField]
  readonly mine: KundeFields[FormField]
  readonly theirs: KundeFields[FormField]
  /** Both changed it, to different values: somebody has to decide. */
  readonly disputed: boolean
}
export type Choice = Partial<Record<FormField, Side>>

/** Fields in which the screen and the database differ now; what both changed alike is settled. */
export function differencesOf(base: KundeFields, mine: KundeFields, theirs: KundeFields): Difference[] {
  return FORM_FIELDS.filter((field) => mine[field] !== theirs[field]).map((field) => ({
    field,
    base: base[field],
    mine: mine[field],
    theirs: theirs[field],
    disputed: mine[field] !== base[field] && theirs[field] !== base[field],
  }))
}

/** Whoever changed a field keeps it. A disputed one stays open: a default would be an overwrite in disguise. */
export function proposeChoice(differences: readonly Difference[]): Choice {
  return Object.fromEntries(
    differences.filter(({ disputed }) => !disputed).map(({ field, base, mine }) => [field, mine === base ? 'theirs' : 'mine']),
  )
}

export const isDecided = (differences: readonly Difference[], choice: Choice): boolean =>
  differences.every(({ field }) => choice[field] !== undefined)

export function mergeBy(choice: Choice, mine: KundeFields, theirs: KundeFields): KundeFields {
  const taken = FORM_FIELDS.filter((field) => choice[field] === 'mine').map((field) => [field, mine[field]])
  return { ...theirs, ...Object.fromEntries(taken) }
}

/** What is left to save once the choice is made; nothing when all of it is theirs. */
export const mergedChanges = (choice: Choice, mine: KundeFields, theirs: KundeFields): Partial<KundeFields> =>
  changesOf(theirs, mergeBy(choice, mine, theirs))
