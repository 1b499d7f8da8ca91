// The field mode's part in the start: the person who prepared it on this device gets in without a connection;
// a person who signs in takes over the device.
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
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { checkAppConfig, checkIdentityConfig } from './config.ts'
import { isFieldwork } from './mobile.ts'

export interface Local {
  readonly app: AppConfig
  readonly identity: IdentityConfig
  readonly session: Session
}

/** The person who may work here without signing in; null if there is none (any more). */
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
    // Stored by a version with other settings, or the browser stores nothing: start with the sign-in.
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
/**
 * Someone has signed in on a field device. Of other people's data only what has not been uploaded yet is
 * kept. Outside the field mode they see how many of their own records are waiting here.
 */
export async function takeOver({ sub, session, app, identity }: Seen): Promise<void> {
  const db = await fieldworkDb()
  await forgetOthers(db, sub)
  const known = (await fetchPerson(db, sub)) !== undefined
  if (known && !session.incomplete) await rememberPerson(db, personOf(sub, session, new Date()))
  writeDevice({ sub: known ? sub : null, app, identity })
  const { erfassungen: waiting } = await fetchOpenWork(db, sub)
  if (waiting === 0 || isFieldwork(location.pathname)) return
  toast.info(
    waiting === 1
      ? t('Auf diesem Gerät wartet eine Erfassung von Ihnen. Im Feldmodus können Sie sie übertragen.')
      : t('Auf diesem Gerät warten {n} Erfassungen von Ihnen. Im Feldmodus können Sie sie übertragen.', {
          n: waiting,
        }),
  )
}

/** From now on this person may continue here without a connection. */
export async function remember({ sub, session, app, identity }: Seen): Promise<void> {
  const db = await fieldworkDb()
  await forgetOthers(db, sub)
  await rememberPerson(db, personOf(sub, session, new Date()))
  writeDevice({ sub, app, identity })
}
