// A statement under construction: its text refers to values by number and never contains them.
export class Values {
  readonly list: unknown[]

  /** @param first values that the text refers to already, from $1 on */
  constructor(first: readonly unknown[] = []) {
    this.list = [...first]
  }

  /** Returns the reference, cast to a type. */
  add(value: unknown, type: string): string {
    this.list.push(value)
    return `$${this.list.length}::${type}`
  }
}
