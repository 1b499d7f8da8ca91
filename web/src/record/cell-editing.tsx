// One field of a record changed in a cell of a list: checked, saved, refused and disputed as in its form.
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldErrors, FieldValues } from 'react-hook-form'
import { ApiError } from '../data/api-error.ts'
import { eq } from '../data/addresses.ts'
import { selectOne, updateOne } from '../data/rows.ts'
import type { Option } from '../ui/Field.tsx'
import { NotNow } from '../ui/told-error.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { differencesOf } from './merge.ts'
import { saveFaults } from './record-faults.ts'
import type { RecordKind, RecordRow, RecordValues } from './record-kind.ts'

interface CellLook {
  readonly options?: readonly Option[]
  readonly maxLength?: number
  readonly inputMode?: 'text' | 'tel' | 'numeric' | 'decimal'
}
export interface CellSpec<
  F extends string,
  Row extends RecordRow<F>,
  V extends RecordValues<F> & FieldValues,
> {
  readonly kind: RecordKind<F, Row, V>
  readonly table: string
  readonly key: string
  /** The field in each column. */
  readonly columns: Readonly<Record<string, F>>
  readonly look: (field: F) => CellLook
  /** Refreshes what shows the record. */
  readonly tell: (client: QueryClient, row: Row) => void
}

const SAME = { kind: 'same' } as const

/** The check of the form, asked about one field. */
async function faultOf<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>(
  { resolver }: RecordKind<F, Row, V>,
  values: V,
  field: F,
): Promise<string | null> {
  const { errors } = await resolver(values, undefined, { fields: {}, shouldUseNativeValidation: false })
  const fault = (errors as FieldErrors)[field]
  return fault === undefined ? null : String(fault.message ?? '')
}

export const openCell =
  <F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>({
    kind,
    table,
    key,
    columns,
    look,
    tell,
  }: CellSpec<F, Row, V>) =>
  async (client: QueryClient, id: string, column: string) => {
    const field = columns[column]
    if (field === undefined) throw new Error(`no field in column ${column}`)
    const filters = [eq(key, id)]
    const base = await selectOne<Row>(table, filters)
    const change = async (value: unknown, version: number): Promise<Row> => {
      const row = await updateOne<Row>(table, filters, { [field]: value }, { version })
      tell(client, row)
      return row
    }
    const send = async (onto: Row, value: Row[F]): Promise<Outcome> => {
      try {
        const now = await change(value, onto.version)
        return { kind: 'saved', undo: () => change(onto[field], now.version) }
      } catch (error) {
        if (error instanceof ApiError && error.code === 'changed_meanwhile')
          return meet(onto, value, error.current as Row)
        const { fields, form } = saveFaults(error, [field], kind.check)
        return { kind: 'refused', fault: fields[field] ?? form ?? '' }
      }
    }
    const meet = (onto: Row, value: Row[F], theirs: Row): Promise<Outcome> | Outcome => {
      tell(client, theirs)
      const mine = { ...onto, [field]: value }
      const [difference] = differencesOf([field], onto, mine, theirs)
      if (!difference) return SAME
      if (!difference.disputed) return send(theirs, value)
      return {
        kind: 'disputed',
        dialog: (settle) => (
          <ConflictDialog
            kind={{ ...kind, fields: [field] }}
            conflict={{ base: onto, mine, theirs }}
            onResolve={async (choice) => {
              const last = choice[field] === 'mine' ? await send(theirs, value) : SAME
              if (last.kind === 'refused') throw new NotNow(last.fault)
              settle(Promise.resolve(last))
            }}
            onClose={() => settle(null)}
          />
        ),
      }
    }
    return {
      label: kind.label(field),
      text: String(kind.toValues(base)[field]),
      ...look(field),
      save: async (text: string): Promise<Outcome> => {
        const values = { ...kind.toValues(base), [field]: text }
        const fault = await faultOf(kind, values, field)
        if (fault !== null) return { kind: 'refused', fault }
        const value = kind.toFields(values)[field]
        return value === base[field] ? SAME : send(base, value)
      },
    }
  }

/** As list/cell-edit.ts takes it. */
type Outcome =
  | typeof SAME
  | { readonly kind: 'saved'; readonly undo: () => Promise<unknown> }
  | { readonly kind: 'refused'; readonly fault: string }
  | {
      readonly kind: 'disputed'
      readonly dialog: (settle: (next: Promise<Outcome> | null) => void) => ReactNode
    }
