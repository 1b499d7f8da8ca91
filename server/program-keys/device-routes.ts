// Where a person answers a program that asks to be connected (page /geraet): POST {general API}/geraet-
// ansehen, /geraet-verbinden and /geraet-ablehnen. A token in a header is asked for, so no other page can
// answer for them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AskedByDevice } from '#contract/zugang.ts'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { refuseGeneral } from '#server/refuse.ts'
import { forNutzer } from '#server/route-caller.ts'
import { parseScope, type Scope } from './scope.ts'

/** What is kept of programs that ask; see identity/device-requests.ts. */
export interface DeviceDesk {
  /** Seconds until another code may be looked at. */
  admit(person: string, network: string): Promise<number>
  look(code: string): Promise<{ programm: string; scope: string; begonnen: number } | null>
  approve(code: string, key: number): Promise<boolean>
  decline(code: string): Promise<boolean>
}

export interface DeviceRoutesOptions {
  readonly database: Database
  readonly devices: DeviceDesk
  /** As for every key of theirs. Answers itself if it refuses, with null. */
  readonly makeKey: (asked: {
    caller: Caller
    body: Record<string, unknown>
    reply: FastifyReply
  }) => Promise<number | null>
}

const UNKNOWN =
  'Diesen Code gibt es nicht, oder er ist abgelaufen oder schon benutzt. Bitte prüfen Sie ihn, oder lassen ' +
  'Sie sich vom Programm einen neuen anzeigen.'
const MORE = 'Das ist mehr, als das Programm verlangt.'
const LETTERS = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

export function deviceRoutes(app: FastifyInstance, options: DeviceRoutesOptions): void {
  const { devices } = options
  const limits = { bodyLimit: 8_192 }
  const answered = (reply: FastifyReply, data: unknown) =>
    reply.header('cache-control', 'no-store').send({ code: 20_000, message: 'ok', data })
  app.post(
    '/geraet-ansehen',
    forNutzer(async (caller, request, reply) => {
      const found = await find(options, caller, request, reply)
      return found === null ? reply : answered(reply, found.asked)
    }, limits),
  )
  app.post(
    '/geraet-ablehnen',
    forNutzer(async (caller, request, reply) => {
      const found = await find(options, caller, request, reply)
      if (found === null) return reply
      return (await devices.decline(found.code)) ? answered(reply, null) : refuseCode(reply)
    }, limits),
  )
  app.post(
    '/geraet-verbinden',
    forNutzer(async (caller, request, reply) => {
      const found = await find(options, caller, request, reply)
      if (found === null) return reply
      const { user_code: _, ...wanted } = request.body as Record<string, unknown>
      if (!staysWithin(wanted, found.asked))
        return refuseGeneral(reply, new Refusal('bad_value', MORE), {
          fields: [{ field: 'gruppen', message: MORE }],
        })
      const key = await options.makeKey({ caller, body: { ...wanted, art: 'person' }, reply })
      if (key === null) return reply
      if (await devices.approve(found.code, key)) return answered(reply, { id: key })
      // Somebody else was faster, or it took too long.
      await options.database.once(asNutzer(caller), {
        text: 'select app.a_end_zugang($1::bigint)',
        values: [String(key)],
      })
      return refuseCode(reply)
    }, limits),
  )
}

/** Answers itself if there is no such request. */
async function find(
  { devices, database }: DeviceRoutesOptions,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ code: string; asked: AskedByDevice } | null> {
  // Refuses sessions that were signed out of, as every other call does.
  await database.once(asNutzer(caller, { readOnly: true }), { text: 'select', values: [] })
  const wait = await devices.admit(caller.person, request.ip)
  if (wait > 0) {
    refuseGeneral(reply.header('retry-after', String(wait)), new Refusal('too_many_requests'))
    return null
  }
  const given = (request.body as { user_code?: unknown } | null)?.user_code
  const code = typeof given === 'string' ? given.toUpperCase().replaceAll(/[\s-]/g, '') : ''
  const found = LETTERS.test(code) ? await devices.look(code) : null
  const scope = found && parseScope(found.scope)
  if (found === null || scope === null) {
    refuseCode(reply)
    return null
  }
  return { code, asked: { programm: found.programm, begonnen: found.begonnen, ...scope } }
}

const refuseCode = (reply: FastifyReply): FastifyReply =>
  refuseGeneral(reply, new Refusal('bad_value', UNKNOWN), {
    fields: [{ field: 'user_code', message: UNKNOWN }],
  })

/** People narrow what a program asks for, and never give more: they were shown what it asks for. */
function staysWithin(wanted: Record<string, unknown>, asked: Scope): boolean {
  if (wanted['nur_lesen'] !== true && !asked.schreiben) return false
  if (asked.gruppen === null) return true
  const { gruppen } = wanted
  return Array.isArray(gruppen) && gruppen.every((group) => (asked.gruppen as unknown[]).includes(group))
}
