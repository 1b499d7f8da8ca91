// /buchhaltung/angebote/angebot/new/{new_id}: a new offer for the customer of this number.
import { NewBeleg } from '../NewBeleg.tsx'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'

export const NewAngebotPage = () => <NewBeleg docKind={ANGEBOT_KIND} />
