// /buchhaltung/rechnungen/rechnung/new/{new_id}: a new invoice for the customer of this number.
import { BelegNeu } from '../BelegNeu.tsx'

export const RechnungNeuPage = () => <BelegNeu sorte="rechnung" />
