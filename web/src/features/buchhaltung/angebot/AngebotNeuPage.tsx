// /buchhaltung/angebote/angebot/new/{new_id}: a new offer for the customer of this number.
import { NewBeleg } from '../BelegNeu.tsx'
import { ANGEBOT_KIND } from '../sorten.ts'

export const NewAngebotPage = () => <NewBeleg docKind={ANGEBOT_KIND} />
