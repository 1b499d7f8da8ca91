// The field mode's part in the start: whoever prepared it on this device comes in without a connection; whoever signs in takes the device over.
import type { AppConfig, IdentityConfig } from '#contract/app-config.ts'
import type { Session } from '../data/session.ts'
import {
  fieldworkDb,
  readDevice,
  fetchPerson,
  rememberPerson,
  fetchOpenWork,
  personOf,
  writeDevice,
  sessionOf,
  forgetOthers,
} from '../features/fieldwork/fieldwork-session.ts'
import { checkAppConfig, checkIdentityConfig } from './config.ts'

export interface Local {
  readonly app: AppConfig
  readonly identity: IdentityConfig
  readonly session: Session
}

/** Null: nobody, or nobody any more, works here without signing in. */
export async function findLocal(): Promise<Local | null> {
  try {
    const device = readDevice()
    if (device === null || device.sub === null) return null
    const person = await fetchPerson(await fieldworkDb(), device.sub)
    if (person === undefined) return null
    return {
      app: checkAppConfig(device.app),
      identity: checkIdentityConfig(device.identity),
      session: sessionOf(person),
    }
  } catch (error) {
    // A version that knows other settings, or a browser that keeps nothing: then it begins with the sign-in.
    console.warn('the field mode cannot start by itself', error)
    return null
  }
}

interface Seen {
  readonly sub: string
  readonly session: Session
  readonly app: AppConfig
  readonly identity: IdentityConfig
}
/** Somebody has signed in on a device that is used in the field. Of who was there before only what is not transferred yet stays. Answers how many captures of their own wait here. */
export async function takeOver({ sub, session, app, identity }: Seen): Promise<number> {
  const db = await fieldworkDb()
  await forgetOthers(db, sub)
  const known = (await fetchPerson(db, sub)) !== undefined
  if (known && !session.incomplete) await rememberPerson(db, personOf(sub, session, new Date()))
  writeDevice({ sub: known ? sub : null, app, identity })
  return (await fetchOpenWork(db, sub)).erfassungen
}

/** From now on this person may go on here without a connection. */
export async function remember({ sub, session, app, identity }: Seen): Promise<void> {
  const db = await fieldworkDb()
  await forgetOthers(db, sub)
  await rememberPerson(db, personOf(sub, session, new Date()))
  writeDevice({ sub, app, identity })
}
