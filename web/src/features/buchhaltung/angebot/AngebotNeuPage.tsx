// /buchhaltung/angebote/angebot/new/{new_id}: a new offer for the customer of this number.
import { BelegNeu } from '../BelegNeu.tsx'
import { ANGEBOT_SORTE } from '../sorten.ts'

export const AngebotNeuPage = () => <BelegNeu sorte={ANGEBOT_SORTE} />
