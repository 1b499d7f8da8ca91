// /buchhaltung/rechnungen/rechnung/new/{new_id}: a new invoice for the customer with this id.
import { NewBeleg } from '../NewBeleg.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'

export const NewRechnungPage = () => <NewBeleg docKind={RECHNUNG_KIND} />
