// /buchhaltung/angebote/angebot/new/{new_id}: a new offer for the customer of this number.
import { BelegNeu } from '../BelegNeu.tsx'

export const AngebotNeuPage = () => <BelegNeu sorte="angebot" />
