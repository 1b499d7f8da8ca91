// POST habitat/{hq}/bericht and habitat/{hq}/nachweis: reports of trees and evidences of KAWM. They are read as the caller, set by the typesetter's own process, and come with how far they are.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  BERICHT_BAEUME,
  BERICHT_FOTOS,
  BERICHT_STROM,
  type BerichtAuftrag,
  type BerichtFotos,
  type BerichtSchritt,
  type BerichtZeile,
  type NachweisAuftrag,
} from '#contract/habitat-bericht.ts'
import { isDay } from '#domain/tag.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import type { Ablage as Dateien } from '#server/dateien/ablage.ts'
import { reasonForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import type { Satz, Satzbild } from '#server/satzauftrag.ts'
import { createAblage } from '../geodaten/ablage.ts'
import { alsDatei, fehlerAntwort, paramOf } from '../geodaten/antwort.ts'
import { ladeFotos } from './bericht-fotos.ts'
import { berichtDaten, type Satzwahl } from './bericht-satz.ts'
import { type Frage, leseStoff, type Stoff } from './bericht-stoff.ts'
import { type NachweisDatei, nachweisGpkg, nachweisXlsx, nachweisZip } from './nachweis.ts'

export interface BerichtOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** Photos lie here. */
  readonly dateien: Pick<Dateien, 'lies'>
  readonly satz: Satz
  /** Where a file lies while it is made. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  /** Where work waits for its turn. */
  readonly work?: WorkQueue
}

const TIMEOUT_MS = 60_000
const BODY_BYTES = 1_000_000
const MOST_WORDS = 30
const LONGEST_WORD = 200

type Melde = (schritt: BerichtSchritt, fertig?: number, von?: number) => void
interface Lauf {
  readonly caller: Caller
  readonly hq: string
  readonly melde: Melde
  readonly signal: AbortSignal
}
interface Ergebnis {
  readonly inhalt: Buffer
  readonly typ: 'application/pdf' | 'application/zip'
  readonly ending: 'pdf' | 'zip'
  readonly art: string
  readonly betrieb: string
}

export function berichtRoutes(options: BerichtOptions): (app: FastifyInstance) => Promise<void> {
  const { database, authenticate, dateien, satz, log, now, work: turns = createWorkQueue() } = options
  const ablage = createAblage(options.folder)
  void ablage.tidy(now(), 1)

  async function lies(
    { caller, melde, signal }: Lauf,
    frage: Frage,
  ): Promise<{ stoff: Stoff; satzbilder: Satzbild[]; wahl: Omit<Satzwahl, 'filter' | 'teil'> }> {
    melde('lesen')
    const stoff = await database.transaction(asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }), (tx) => leseStoff(tx, frage))
    signal.throwIfAborted()
    const total = stoff.bilder.length
    if (total > 0) melde('fotos', 0, total)
    const fotos = await ladeFotos(dateien, stoff.bilder, { signal, onFertig: (fertig) => melde('fotos', fertig, total) })
    const { firma } = stoff.kopf
    const logo: Satzbild[] =
      firma?.logo && firma.logo_typ
        ? [
            {
              pfad: `/logo.${{ 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' }[firma.logo_typ]}`,
              bytes: Buffer.from(firma.logo, 'base64'),
            },
          ]
        : []
    return {
      stoff,
      satzbilder: [...logo, ...fotos.satzbilder],
      wahl: {
        stoff,
        bilder: fotos.bilder,
        gefragt: frage.fotos === 'keine' ? null : total,
        logo: logo[0]?.pfad ?? null,
        stichtag: frage.tag,
      },
    }
  }
  const pdfOf = async (wahl: Satzwahl, bilder: readonly Satzbild[]): Promise<Buffer> =>
    Buffer.from(await satz({ vorlage: 'bericht', tag: wahl.stoff.kopf.heute, daten: berichtDaten(wahl), bilder }))

  async function bericht(lauf: Lauf, { ids, filter, fotos }: BerichtAuftrag): Promise<Ergebnis> {
    const { stoff, satzbilder, wahl } = await lies(lauf, { hq: lauf.hq, ids: ids === null ? null : ids.map(Number), fotos, tag: null })
    lauf.melde('setzen')
    const inhalt = await pdfOf({ ...wahl, filter, teil: { nr: 1, von: 1 } }, satzbilder)
    return { inhalt, typ: 'application/pdf', ending: 'pdf', art: 'Habitatbaeume', betrieb: stoff.kopf.sHQ }
  }

  async function nachweis(lauf: Lauf, { tag, fotos }: NachweisAuftrag): Promise<Ergebnis> {
    const { melde, signal, caller, hq } = lauf
    const { stoff, satzbilder, wahl } = await lies(lauf, { hq, ids: null, fotos, tag })
    const { kawm } = stoff
    if (kawm === null) throw new Refusal('not_found')
    const von = Math.max(1, Math.ceil(stoff.baeume.length / BERICHT_BAEUME))
    const all: NachweisDatei[] = []
    for (let nr = 1; nr <= von; nr++) {
      signal.throwIfAborted()
      melde('setzen', nr - 1, von)
      // Photos stand behind the last part of the list.
      const last = nr === von
      const one = { ...wahl, filter: [], teil: { nr, von }, bilder: last ? wahl.bilder : [], gefragt: last ? wahl.gefragt : null }
      all.push({
        name: von === 1 ? 'Nachweis.pdf' : `Nachweis_Teil-${nr}-von-${von}.pdf`,
        // oxlint-disable-next-line no-await-in-loop -- the typesetter works on one after the other
        inhalt: await pdfOf(one, last ? satzbilder : satzbilder.filter(({ pfad }) => pfad === wahl.logo)),
        was: nr === 1 ? 'Deckblatt mit den Kennzahlen, Karte und Liste der Bäume (PDF/A)' : 'Fortsetzung der Liste (PDF/A)',
      })
    }
    melde('packen')
    all.push(
      { name: 'Nachweis.xlsx', inhalt: await nachweisXlsx(stoff, kawm, tag), was: 'Kennzahlen, Bäume und Bestände als Tabellen' },
      {
        name: 'Nachweis.gpkg',
        inhalt: await nachweisGpkg(ablage, stoff, tag),
        was: `Bäume und Bestände als GeoPackage für QGIS, EPSG:${stoff.epsg}`,
      },
    )
    const inhalt = await nachweisZip(all, stoff, tag)
    signal.throwIfAborted()
    const figures = { soll: kawm.soll, erfasst: kawm.erfasst, markiert: kawm.markiert }
    await database.once(asNutzer(caller), {
      ...MERKEN,
      values: [hq, tag, `KAWM-Nachweis_${tag}.zip`, inhalt.length, sha256(inhalt), JSON.stringify(figures)],
    })
    return { inhalt, typ: 'application/zip', ending: 'zip', art: 'KAWM-Nachweis', betrieb: stoff.kopf.sHQ }
  }

  /** The bare file to whoever asks for it; to everybody else lines that say how far it is, and then the file. */
  async function antworte(request: FastifyRequest, reply: FastifyReply, work: (lauf: Lauf) => Promise<Ergebnis>): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const hq = paramOf(request, 'hq')
    if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
    const ending = new AbortController()
    reply.raw.once('close', () => ending.abort())
    const run = async (melde: Melde): Promise<Ergebnis> => {
      try {
        const order = { person: caller.person, signal: ending.signal, onWait: () => melde('warten') }
        // Each holds its photos in memory while it is made.
        return await turns.run('long', order, () => work({ caller, hq, melde, signal: ending.signal }))
      } catch (error) {
        // Whoever asked has gone: nobody is told, and nothing went wrong.
        throw ending.signal.aborted ? new Refusal('bad_value') : error
      }
    }
    const head = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    if (!(request.headers.accept ?? '').includes(BERICHT_STROM)) {
      const { inhalt, typ, ending: end, art, betrieb } = await run(() => undefined)
      return reply
        .headers({
          ...head,
          'content-type': typ,
          'content-length': inhalt.length,
          'content-disposition': alsDatei(art, betrieb, now(), end),
          'repr-digest': `sha-256=:${createHash('sha256').update(inhalt).digest('base64')}:`,
        })
        .send(inhalt)
    }
    // What is refused at once is refused by its status; afterwards by a line.
    const queue: Buffer[] = []
    let wake: (() => void) | null = null
    let done = false
    const push = (bytes: Buffer): void => {
      queue.push(bytes)
      wake?.()
    }
    const line = (zeile: BerichtZeile): void => push(Buffer.from(`${JSON.stringify(zeile)}\n`, 'utf8'))
    let first: (() => void) | null = null
    const begun = new Promise<void>((resolve) => (first = resolve))
    const made = run((schritt, fertig = 0, von = 0) => {
      if (schritt !== 'lesen') first?.()
      line({ art: 'schritt', schritt, fertig, von })
    })
    const whole = made.then(
      ({ inhalt, typ, ending: end, art, betrieb }) => {
        const name = decodeURIComponent(/''(.+)$/.exec(alsDatei(art, betrieb, now(), end))?.[1] ?? `${art}.${end}`)
        line({ art: 'datei', name, typ, groesse: inhalt.length, sha256: sha256(inhalt) })
        push(inhalt)
      },
      (error: unknown) => {
        if (ending.signal.aborted) return
        const refusal = toRefusal(error)
        if (refusal.status >= 500) log.error('report not made', { id: request.id, hq, reason: reasonForLog(error) })
        line({ art: 'fehler', code: refusal.code, message: refusal.message })
      },
    )
    void whole.finally(() => {
      done = true
      wake?.()
    })
    // Rejects with what was refused before anything was said.
    await Promise.race([begun, made])
    async function* lines(): AsyncGenerator<Buffer> {
      for (;;) {
        for (let bytes = queue.shift(); bytes !== undefined; bytes = queue.shift()) yield bytes
        if (done) return
        await new Promise<void>((resolve) => (wake = resolve))
        wake = null
      }
    }
    return reply.headers({ ...head, 'content-type': BERICHT_STROM }).send(Readable.from(lines(), { objectMode: false }))
  }

  return async (app) => {
    app.setErrorHandler(fehlerAntwort())
    app.post('/habitat/:hq/bericht', { bodyLimit: BODY_BYTES }, (request, reply) =>
      antworte(request, reply, (lauf) => bericht(lauf, berichtAuftragOf(request.body))),
    )
    app.post('/habitat/:hq/nachweis', { bodyLimit: BODY_BYTES }, (request, reply) =>
      antworte(request, reply, (lauf) => nachweis(lauf, nachweisAuftragOf(request.body))),
    )
  }
}

const MERKEN = { name: 'kawm_nachweis_merken', text: 'select rechte.kawm_nachweis_merken($1, $2::date, $3, $4, $5, $6::jsonb)' }
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const objectOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
const falsch = (message: string): never => {
  throw new Refusal('bad_value', message)
}
const fotosOf = (value: unknown): BerichtFotos =>
  BERICHT_FOTOS.find((one) => one === value) ?? falsch('Welche Fotos der Bericht zeigen soll, ist nicht zu verstehen.')

function berichtAuftragOf(body: unknown): BerichtAuftrag {
  const { ids, filter, fotos } = objectOf(body)
  const known = (id: unknown): boolean => /^[1-9]\d{0,14}$/.test(String(id))
  if (ids !== null && !(Array.isArray(ids) && ids.length > 0 && ids.every(known)))
    return falsch('Es ist kein Baum gewählt. Bitte wählen Sie Bäume aus, oder setzen Sie den Filter zurück.')
  if (ids !== null && ids.length > BERICHT_BAEUME)
    return falsch(
      `Für einen Bericht sind das zu viele Bäume. Höchstens ${BERICHT_BAEUME.toLocaleString('de-DE')} passen hinein. Filtern Sie die Liste, zum Beispiel nach Revier oder Abteilung, und erstellen Sie mehrere Berichte.`,
    )
  if (
    !Array.isArray(filter) ||
    filter.length > MOST_WORDS ||
    !filter.every((word) => typeof word === 'string' && word.length <= LONGEST_WORD)
  )
    return falsch('Der Filter ist nicht zu verstehen. Bitte laden Sie die Seite neu.')
  return { ids: ids as number[] | null, filter: filter as string[], fotos: fotosOf(fotos) }
}
function nachweisAuftragOf(body: unknown): NachweisAuftrag {
  const { tag, fotos } = objectOf(body)
  if (typeof tag !== 'string' || !isDay(tag) || tag < '2000-01-01')
    return falsch('Bitte nennen Sie den Stichtag, zum Beispiel den 31.12. des letzten Jahres.')
  const chosen = fotosOf(fotos)
  return { tag, fotos: chosen === 'alle' ? 'titel' : chosen }
}
