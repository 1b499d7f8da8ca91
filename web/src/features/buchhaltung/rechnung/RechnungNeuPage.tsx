// /buchhaltung/rechnungen/rechnung/new/{new_id}: a new invoice for the customer of this number.
import { BelegNeu } from '../BelegNeu.tsx'
import { RECHNUNG_SORTE } from '../sorten.ts'

export const RechnungNeuPage = () => <BelegNeu sorte={RECHNUNG_SORTE} />
