// /buchhaltung/angebote/angebot/new/{new_id}: a new offer for the customer with this id.
import { NewBeleg } from '../NewBeleg.tsx'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'

export const NewAngebotPage = () => <NewBeleg docKind={ANGEBOT_KIND} />
