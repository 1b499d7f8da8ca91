// Customer (kunde): row types as the data API returns them. The columns are declared in domain/kunde-fields.ts.
import type { ColumnsWith, RowOf } from '#domain/fields.ts'
import type { KUNDE_FIELDS } from '#domain/kunde-fields.ts'

type Columns = typeof KUNDE_FIELDS
/** A row of app.kunde. */
export type Kunde = RowOf<Columns>

/** What POST /kunde takes. */
export type NewKunde = Pick<Kunde, ColumnsWith<Columns, 'missing'>> &
  Partial<Pick<Kunde, ColumnsWith<Columns, 'input'>>>
/** What PATCH /kunde takes; the database restricts it further by role. */
/** As the API answers it. @public */
export type KundeChange = Partial<NewKunde>
