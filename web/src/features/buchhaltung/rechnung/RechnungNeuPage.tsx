// /buchhaltung/rechnungen/rechnung/new/{new_id}: a new invoice for the customer of this number.
import { NewBeleg } from '../BelegNeu.tsx'
import { RECHNUNG_KIND } from '../sorten.ts'

export const NewRechnungPage = () => <NewBeleg docKind={RECHNUNG_KIND} />
