// Whether an order is unambiguous, as the database asks it (books.order_lines), for tests.
import { type Choosable, choiceOf } from './angebot.ts'

/** At most one option of each choice is taken. */
export const isUnambiguous = (positions: readonly Choosable[]): boolean =>
  choiceOf(positions).every(
    ({ options }) => options.filter((at) => positions[at]!.gewaehlt === true).length <= 1,
  )
