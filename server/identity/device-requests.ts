// Programs without a browser that ask to be connected (OAuth 2 device flow, RFC 8628): a program gets a
// code, a person types it in and approves or declines, the program asks until there is an answer. Kept in
// idp.artefakt, so that every server knows them. What is approved is a key for programs; nothing that opens
// anything is stored.
import { randomBytes, randomInt } from 'node:crypto'
import type { IdpDatabase, Query } from './idp-database.ts'
import type { ProgramClients } from './program-clients.ts'
import { hashToken, type Secrets } from './secrets.ts'
import type { Throttle } from './throttle.ts'

export interface DeviceServices {
  readonly db: IdpDatabase
  readonly secrets: Secrets
  readonly throttle: Throttle
  readonly programs: ProgramClients
}

export interface DeviceRequest {
  /** What the program calls itself; nobody has checked it. */
  readonly programm: string
  readonly scope: string
  /** Seconds since 1970. */
  readonly begonnen: number
}

export interface HandedKey {
  readonly key: string
  readonly scope: string
  /** Until the end of its last day. */
  readonly seconds: number
}

export type Polled =
  | { readonly kind: 'pending' | 'slow' | 'denied' | 'expired' | 'invalid' }
  | { readonly kind: 'approved'; readonly handed: HandedKey }

interface Payload extends DeviceRequest {
  readonly client: string
  readonly zustand: 'offen' | 'frei' | 'abgelehnt'
  readonly zugang: number | null
  readonly bis: number
  readonly gefragt: number
  readonly abstand: number
}

export const LIVES_S = 600
export const INTERVAL_S = 5
const LONGEST_INTERVAL_S = 60
const MODEL = 'DeviceRequest'
/** Consonants that are neither misread nor make words; eight of them are 34 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LETTER_COUNT = 8
/** Looks at codes in an hour, right or wrong. */
const LOOKS_OF_PERSON = 30
const LOOKS_OF_NETWORK = 120

export class DeviceRequests {
  readonly #services: DeviceServices
  constructor(services: DeviceServices) {
    this.#services = services
  }

  async open(asked: {
    client: string
    programm: string
    scope: string
  }): Promise<{ deviceCode: string; userCode: string }> {
    const deviceCode = randomBytes(32).toString('base64url')
    const userCode = Array.from({ length: LETTER_COUNT }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    await this.#services.db.once(
      // Kept for a while after its end, so that the program learns that it was too late.
      `insert into idp.artefakt (model, id_hash, uid_hash, expires_at, payload)
       values ('${MODEL}', $1, $2, now() + interval '30 minutes', $3::jsonb || jsonb_build_object(
         'zustand', 'offen', 'zugang', null, 'gefragt', 0, 'abstand', ${INTERVAL_S},
         'begonnen', floor(extract(epoch from now())), 'bis', floor(extract(epoch from now())) + ${LIVES_S}))`,
      hashToken(deviceCode),
      this.#hashOf(userCode),
      JSON.stringify(asked),
    )
    return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` }
  }

  /** Seconds until the person, or others in the network, may look at another code; 0: now. */
  async admit(person: string, network: string): Promise<number> {
    const { throttle } = this.#services
    const ofPerson = await throttle.admitInHour(hashToken(person), 'geraet person', LOOKS_OF_PERSON)
    return ofPerson > 0 ? ofPerson : throttle.admitInHour(network, 'geraet netz', LOOKS_OF_NETWORK)
  }

  /** What is asked for, while nobody has answered. */
  async look(userCode: string): Promise<DeviceRequest | null> {
    const { rows } = await this.#services.db.once<{ payload: string }>(
      `select payload::text as payload from idp.artefakt where ${OPEN}`,
      this.#hashOf(userCode),
    )
    if (rows[0] === undefined) return null
    const { programm, scope, begonnen } = JSON.parse(rows[0].payload) as Payload
    return { programm, scope, begonnen }
  }

  /** False: somebody else answered, or it is too late. */
  approve(userCode: string, key: number): Promise<boolean> {
    return this.#answer(userCode, { zustand: 'frei', zugang: key })
  }
  decline(userCode: string): Promise<boolean> {
    return this.#answer(userCode, { zustand: 'abgelehnt' })
  }

  async #answer(userCode: string, change: Partial<Payload>): Promise<boolean> {
    const { rowCount } = await this.#services.db.once(
      `update idp.artefakt set payload = payload || $2::jsonb where ${OPEN}`,
      this.#hashOf(userCode),
      JSON.stringify(change),
    )
    return rowCount === 1
  }

  /** What the program gets. A second use of the code of an answered request ends the key. */
  poll(deviceCode: string, client: string): Promise<Polled> {
    return this.#services.db.transaction(async (query) => {
      const id = hashToken(deviceCode)
      const { rows } = await query<{ payload: string; used: boolean; now: number }>(
        `select payload::text as payload, consumed_at is not null as used,
           extract(epoch from now())::double precision as now
         from idp.artefakt where model = '${MODEL}' and id_hash = $1 and expires_at > now() for update`,
        id,
      )
      const [row] = rows
      const payload = row && (JSON.parse(row.payload) as Payload)
      if (row === undefined || payload?.client !== client) return { kind: 'invalid' }
      if (payload.zustand === 'abgelehnt') return { kind: 'denied' }
      if (payload.zustand === 'frei')
        return row.used ? endReplayed(query, payload) : this.#handOver(query, id, payload)
      if (payload.bis <= row.now) return { kind: 'expired' }
      const isFast = row.now - payload.gefragt < payload.abstand - 0.5
      const interval = isFast ? Math.min(payload.abstand + INTERVAL_S, LONGEST_INTERVAL_S) : payload.abstand
      await query(
        `update idp.artefakt set payload = payload || $2::jsonb where model = '${MODEL}' and id_hash = $1`,
        id,
        JSON.stringify({ gefragt: row.now, abstand: interval }),
      )
      return { kind: isFast ? 'slow' : 'pending' }
    })
  }

  /** Only now the key gets a secret, which is in this one answer and nowhere else. */
  async #handOver(query: Query, id: string, { zugang, bis }: Payload): Promise<Polled> {
    const { key, digest, signs } = this.#services.programs.makeKey()
    await query(`update idp.artefakt set consumed_at = now() where model = '${MODEL}' and id_hash = $1`, id)
    const { rows } = await query<{ scope: string; seconds: number }>(
      `select scope, seconds from accounts.hand_over_key($1::bigint, $2, $3)
       where now() < to_timestamp($4::double precision)`,
      String(zugang),
      digest,
      signs,
      String(bis + LIVES_S),
    )
    const [handed] = rows
    if (handed === undefined) return { kind: 'denied' }
    return { kind: 'approved', handed: { key, scope: handed.scope, seconds: Number(handed.seconds) } }
  }

  /** Few enough to be tried out by somebody with a copy of the database, so a secret is mixed in. */
  #hashOf(userCode: string): string {
    return this.#services.secrets.keyedHash('geraet', userCode)
  }
}

const OPEN = `model = '${MODEL}' and uid_hash = $1 and payload ->> 'zustand' = 'offen'
  and (payload ->> 'bis')::double precision > extract(epoch from now())`

async function endReplayed(query: Query, { zugang }: Payload): Promise<Polled> {
  await query('select accounts.end_handed_key($1::bigint)', String(zugang))
  return { kind: 'invalid' }
}
