// One entry of the queue: how it is built, what is sent, and how each answer changes it; the same for every
// kind. Pure: no storage, no network, no clock.
import type { HabitatSyncResult, InspectionCapture } from '#contract/habitat.ts'
import type { SurveySyncAnswer } from '#contract/vermessung.ts'
import type { FieldworkConflict, Identifier, QueueEntry, Sub } from './fieldwork-db.ts'

/** What differs between the kinds of entries. */
export interface CaptureKind<Row, Values, Sent, Entry> {
  readonly fields: readonly (keyof Values & string)[]
  /** Fields that belong together: anyone who changes one has seen all of the group. */
  readonly groupOf: (field: keyof Values & string) => readonly (keyof Values & string)[]
  readonly valuesOf: (row: Row) => Values
  /** The values of what is being sent, in the shape of forms. */
  readonly valuesOfSent: (sent: Sent) => Partial<Values>
  readonly sentOf: (entry: Entry) => Sent
  /** The row as somebody saw it with these values. */
  readonly seenAs: (row: Row, values: Values) => Row
  /** Values before anything was entered. */
  readonly empty: Values
}
export interface Who {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly idHQ: number
  /** ISO */
  readonly present: string
}
/** What a form saw when it was opened. */
export interface ViewedAs<Values> {
  /** Version of the server's row; null if it did not know it yet. */
  readonly version: number | null
  readonly werte: Values
}
export interface ChangeOf<Values> {
  readonly werte?: Partial<Values>
  readonly kontrollen?: readonly InspectionCapture[]
  /** Left out if the change does not depend on the other fields, such as a check-up. */
  readonly viewed?: ViewedAs<Values>
}
export interface AnswerOf<Row> {
  readonly kennung: string | null
  readonly ergebnis: HabitatSyncResult | SurveySyncAnswer['ergebnis']
  readonly baum: Row | null
  readonly regel: string | null
  readonly feld: string | null
}
export interface ConsequenceOf<Row, Entry> {
  /** Null if nothing is pending any more. */
  readonly capture: Entry | null
  /** The row as the server has it; null if it has none; undefined if it did not say. */
  readonly baum: Row | null | undefined
  readonly conflict: FieldworkConflict<Row> | null
}

/** A new entry before anything is entered. */
export const emptyEntry = ({ sub, kennung, idHQ, present }: Who) => ({
  sub,
  kennung,
  idHQ,
  version: null,
  basis: null,
  werte: {},
  kontrollen: [],
  stand: 'wartet' as const,
  unterwegs: null,
  versuche: 0,
  antwort: null,
  seit: present,
  geaendert_am: present,
})

export class CaptureRules<
  Row extends { version: number },
  Values extends object,
  Sent extends { kontrollen?: InspectionCapture[] },
  Entry extends QueueEntry<Row, Values, Sent>,
> {
  readonly kind: CaptureKind<Row, Values, Sent, Entry>
  constructor(kind: CaptureKind<Row, Values, Sent, Entry>) {
    this.kind = kind
  }

  #fieldsOf(values: Partial<Values>): (keyof Values & string)[] {
    return this.kind.fields.filter((field) => Object.hasOwn(values, field))
  }
  valuesUnderway({ unterwegs }: Entry): Partial<Values> {
    return unterwegs === null ? {} : this.kind.valuesOfSent(unterwegs)
  }
  /** All values from this device that the server has not confirmed. */
  ownValues(capture: Entry): Partial<Values> {
    return { ...this.valuesUnderway(capture), ...capture.werte }
  }
  ownInspections({ unterwegs, kontrollen }: Entry): InspectionCapture[] {
    return [...(unterwegs?.kontrollen ?? []), ...kontrollen]
  }
  /** As the person on this device sees it: the server's state with pending changes on top. */
  viewed(row: Row | null, capture: Entry | undefined): Values {
    const { empty, valuesOf } = this.kind
    return {
      ...(row === null ? empty : valuesOf(row)),
      ...(capture === undefined ? {} : this.ownValues(capture)),
    }
  }

  /**
   * Applies a change to what the server has or to a pending entry. Null if nothing remains to send, because
   * everything was set back.
   */
  applyChange(
    existing: Entry | undefined,
    row: Row | undefined,
    fresh: Entry,
    { werte = {}, kontrollen = [], viewed }: ChangeOf<Values>,
  ): Entry | null {
    const before: Entry = existing ?? { ...fresh, ...this.#baselineOf(row, viewed) }
    const made: Partial<Values> = { ...before.werte, ...werte }
    if (before.basis !== null) {
      const basis = this.kind.valuesOf(before.basis)
      const sent = this.valuesUnderway(before)
      for (const field of this.#fieldsOf(made))
        if (!Object.hasOwn(sent, field) && made[field] === basis[field]) delete made[field]
    }
    const after: Entry = {
      ...before,
      werte: made,
      kontrollen: [...before.kontrollen, ...kontrollen],
      // A refused capture is retried once it was edited; the other two states need an explicit decision.
      stand: before.stand === 'abgelehnt' ? 'wartet' : before.stand,
      geaendert_am: fresh.geaendert_am,
    }
    return this.#isEmpty(after) ? null : after
  }
  /**
   * What a change is compared with. If a sync brought a newer row while the form was open, the person has not
   * seen that one.
   */
  #baselineOf(
    row: Row | undefined,
    viewed: ViewedAs<Values> | undefined,
  ): { version: number | null; basis: Row | null } {
    if (row === undefined) return { version: null, basis: null }
    if (viewed === undefined) return { version: row.version, basis: row }
    // Seen as new and sent since then: version 1 is what the person saw, unless somebody else changed it
    // already. 0 is no version: the server then reports who changed what.
    const version = viewed.version ?? (row.version === 1 ? 1 : 0)
    return { version, basis: this.kind.seenAs(row, viewed.werte) }
  }
  #isEmpty({ version, unterwegs, werte, kontrollen }: Entry): boolean {
    return (
      version !== null && unterwegs === null && kontrollen.length === 0 && this.#fieldsOf(werte).length === 0
    )
  }

  /** Prepares a capture for sending: what is sent stays unchanged until it is answered. */
  begin(capture: Entry): Entry & { unterwegs: Sent } {
    const underway = capture.unterwegs ?? this.kind.sentOf(capture)
    const fresh = capture.unterwegs === null
    return {
      ...capture,
      unterwegs: underway,
      werte: fresh ? {} : capture.werte,
      kontrollen: fresh ? [] : capture.kontrollen,
      versuche: capture.versuche + 1,
    }
  }

  /** Applies the server's answer; `capture` is the current one and may have changed since sending. */
  afterAnswer(
    capture: Entry,
    { ergebnis, baum, regel, feld }: Omit<AnswerOf<Row>, 'kennung'>,
    present: string,
  ): ConsequenceOf<Row, Entry> {
    // Deleted as asked; what was entered since is gone with it, and no form offers to enter it.
    if (ergebnis === 'entfernt') return { capture: null, baum: null, conflict: null }
    const answered: Entry = { ...capture, antwort: { am: present, ergebnis, regel, feld } }
    const discarded: Entry = {
      ...answered,
      unterwegs: null,
      werte: this.ownValues(capture),
      kontrollen: this.ownInspections(capture),
    }
    if (ergebnis === 'abgelehnt')
      return { capture: { ...discarded, stand: 'abgelehnt' }, baum: undefined, conflict: null }
    if (ergebnis === 'geloescht' || baum === null)
      return { capture: { ...discarded, stand: 'geloescht' }, baum: null, conflict: null }
    // The check-ups that were sent are stored with the tree in any case.
    if (ergebnis === 'konflikt')
      return this.#against(
        { ...discarded, kontrollen: capture.kontrollen },
        capture.basis === null ? null : this.kind.valuesOf(capture.basis),
        baum,
        present,
      )
    // Accepted. Changes since then were made by somebody who saw the row including the accepted values.
    const viewed = capture.basis === null ? null : this.kind.valuesOf(capture.basis)
    const seen = { ...(viewed ?? this.kind.valuesOf(baum)), ...this.valuesUnderway(capture) }
    // They are the person's own in a conflict about something else too, which is why they belong to the base.
    const basis = this.kind.seenAs(capture.basis ?? baum, seen)
    return this.#against({ ...answered, unterwegs: null, basis }, seen, baum, present)
  }

  /**
   * Compares own changes with the server's current row. If both changed the same group, somebody has to
   * decide; otherwise the own changes apply on top.
   */
  #against(capture: Entry, viewed: Values | null, server: Row, present: string): ConsequenceOf<Row, Entry> {
    const theirs = this.kind.valuesOf(server)
    const values: Partial<Values> = { ...capture.werte }
    for (const field of this.#fieldsOf(values)) if (values[field] === theirs[field]) delete values[field]
    const disputed = this.#fieldsOf(values).some((field) =>
      this.kind
        .groupOf(field)
        .some((neighbour) => viewed === null || viewed[neighbour] !== theirs[neighbour]),
    )
    if (disputed)
      return {
        capture: { ...capture, werte: values, stand: 'konflikt' },
        baum: server,
        conflict: { sub: capture.sub, kennung: capture.kennung, server, am: present },
      }
    const after: Entry = {
      ...capture,
      werte: values,
      version: server.version,
      basis: server,
      stand: 'wartet',
    }
    return { capture: this.#isEmpty(after) ? null : after, baum: server, conflict: null }
  }

  /**
   * Applies the person's decision: `chosen` are the own values to keep over the server's. Null if the server's
   * row is taken unchanged.
   */
  decide(capture: Entry, server: Row, chosen: Partial<Values>, present: string): Entry | null {
    const theirs = this.kind.valuesOf(server)
    const values: Partial<Values> = { ...chosen }
    for (const field of this.#fieldsOf(values)) if (values[field] === theirs[field]) delete values[field]
    const after: Entry = {
      ...capture,
      werte: values,
      version: server.version,
      basis: server,
      stand: 'wartet',
      antwort: null,
      geaendert_am: present,
    }
    return this.#isEmpty(after) ? null : after
  }

  /** Creates what was deleted again as a new one, because the old kennung cannot be reused. */
  recreate(
    capture: Entry,
    identifier: Identifier,
    inspections: readonly Identifier[],
    present: string,
  ): Entry {
    return {
      ...capture,
      ...emptyEntry({ sub: capture.sub, kennung: identifier, idHQ: capture.idHQ, present }),
      werte: this.viewed(capture.basis, capture),
      kontrollen: this.ownInspections(capture).map((inspection, at) => ({
        ...inspection,
        kennung: inspections[at] ?? inspection.kennung,
      })),
      seit: capture.seit,
    }
  }

  /** Both sides of a conflict. */
  sides(capture: Entry, server: Row): { base: Values; mine: Values } {
    const base = this.kind.valuesOf(capture.basis ?? server)
    return { base, mine: { ...base, ...this.ownValues(capture) } }
  }
}
