// /buchhaltung/rechnungen/rechnung/new/{new_id}: a new invoice for the customer of this number.
import { NewBeleg } from '../NewBeleg.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'

export const NewRechnungPage = () => <NewBeleg docKind={RECHNUNG_KIND} />
