// Sends what waits, trees before their photos, and may be cut anywhere: whatever was sent and not answered is sent again as it was, and the server knows it by its kennung. Storage and network are handed in.
import type { HabitatErfassung, HabitatSyncAntwort } from '#contract/habitat.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import type { FeldBild, FeldDb, Kennung, Sub } from './feld-db.ts'
import {
  beginneErfassungen,
  type BildZeile,
  fetchBild,
  fetchSendbare,
  geaendert,
  merkeBildstand,
  verbucheAntworten,
  verbucheBild,
} from './schlange.ts'

/** netz: try again later · anmeldung: the person has to sign in · abgelehnt: trying again alone will not help. */
export type WegArt = 'netz' | 'anmeldung' | 'abgelehnt'
export class WegFehler extends ToldError {
  override readonly name = 'WegFehler'
  readonly code: WegArt
  readonly origin: string | undefined
  /** Stable word of the broken rule. */
  readonly regel: string | null
  constructor(code: WegArt, message: string, regel: string | null = null, origin?: string) {
    super(message)
    this.code = code
    this.regel = regel
    this.origin = origin
  }
}

export interface Sendung {
  readonly bild: FeldBild
  readonly signal: AbortSignal
  /** Where it can be continued. */
  readonly onUpload: (address: string) => Promise<void>
  readonly onGesendet: (bytes: number) => void
}
/** Reject with WegFehler. */
export interface Weg {
  sync(erfassungen: readonly HabitatErfassung[], signal: AbortSignal): Promise<HabitatSyncAntwort[]>
  /** Which of these photos have a row, and the SHA-256 in it. */
  bilderDa(kennungen: readonly Kennung[], signal: AbortSignal): Promise<{ kennung: Kennung; sha256: string }[]>
  /** Resolves once all bytes were taken up. */
  sende(sendung: Sendung): Promise<void>
}

export interface Fortschritt {
  readonly art: 'baeume' | 'bilder'
  readonly fertig: number
  readonly gesamt: number
  readonly bytes: number
  readonly bytesGesamt: number
}
export interface Bilanz {
  readonly baeume: number
  readonly bilder: number
  /** Conflicts, and trees that somebody deleted. */
  readonly konflikte: number
  readonly abgelehnt: number
}

export interface AbgleichOptions {
  readonly db: FeldDb
  readonly sub: Sub
  readonly weg: Weg
  readonly signal: AbortSignal
  readonly jetzt: () => Date
  readonly melde?: (fortschritt: Fortschritt) => void
}

/** The server takes 500; smaller ones cost less when a weak line breaks. */
const ERFASSUNGEN = 100
const BILDER = 40
/** A capture that is changed while it is sent, or that others change again and again, waits for the next sync. */
const RUNDEN = 5

export async function gleicheAb(options: AbgleichOptions): Promise<Bilanz> {
  const trees = await sendeErfassungen(options)
  const photos = await sendeBilder(options)
  return { ...trees, bilder: photos.bilder, abgelehnt: trees.abgelehnt + photos.abgelehnt }
}

async function sendeErfassungen({ db, sub, weg, signal, jetzt, melde }: AbgleichOptions): Promise<Omit<Bilanz, 'bilder'>> {
  let [baeume, konflikte, abgelehnt] = [0, 0, 0]
  const turns = new Map<Kennung, number>()
  for (;;) {
    signal.throwIfAborted()
    const tired = new Set([...turns].filter(([, count]) => count >= RUNDEN).map(([kennung]) => kennung))
    const sent = await beginneErfassungen(db, sub, ERFASSUNGEN, tired)
    if (sent.length === 0) return { baeume, konflikte, abgelehnt }
    for (const { kennung } of sent) turns.set(kennung, (turns.get(kennung) ?? 0) + 1)
    melde?.({ art: 'baeume', fertig: baeume, gesamt: baeume + sent.length, bytes: 0, bytesGesamt: 0 })
    const answers = await weg.sync(sent, signal)
    if (answers.length !== sent.length || answers.some(({ kennung }, at) => kennung !== sent[at]!.kennung))
      throw new WegFehler(
        'netz',
        t('Der Server hat anders geantwortet, als er sollte. Es ist nichts verloren; die Übertragung wird wiederholt.'),
      )
    const done = await verbucheAntworten(db, sub, answers, jetzt())
    baeume += done.fertig
    konflikte += done.konflikte
    abgelehnt += done.abgelehnt
    melde?.({ art: 'baeume', fertig: baeume, gesamt: baeume, bytes: 0, bytesGesamt: 0 })
  }
}

async function sendeBilder(options: AbgleichOptions): Promise<{ bilder: number; abgelehnt: number }> {
  const { db, sub, signal, melde } = options
  const waiting = await fetchSendbare(db, sub)
  const bytesGesamt = waiting.reduce((sum, { groesse }) => sum + groesse, 0)
  let [bilder, abgelehnt, bytes] = [0, 0, 0]
  const tell = (more: number) =>
    melde?.({ art: 'bilder', fertig: bilder, gesamt: waiting.length, bytes: Math.min(bytes + more, bytesGesamt), bytesGesamt })
  for (let at = 0; at < waiting.length; at += BILDER) {
    const some = waiting.slice(at, at + BILDER)
    // What arrived before the line broke need not be sent.
    const known = await bestaetige(options, some)
    bilder += known.size
    for (const zeile of some) {
      signal.throwIfAborted()
      if (!known.has(zeile.kennung) && !(await sendeBild(options, zeile.kennung, tell))) abgelehnt++
      bytes += zeile.groesse
      tell(0)
    }
    bilder += (
      await bestaetige(
        options,
        some.filter(({ kennung }) => !known.has(kennung)),
      )
    ).size
    tell(0)
  }
  return { bilder, abgelehnt }
}

/** Asks what the server has of these and lets go of it here; answers which. */
async function bestaetige({ db, sub, weg, signal }: AbgleichOptions, zeilen: readonly BildZeile[]): Promise<Set<Kennung>> {
  const gone = new Set<Kennung>()
  if (zeilen.length === 0) return gone
  const there = new Map(
    (
      await weg.bilderDa(
        zeilen.map(({ kennung }) => kennung),
        signal,
      )
    ).map(({ kennung, sha256 }) => [kennung, sha256]),
  )
  for (const { kennung, stand } of zeilen) {
    const sha256 = there.get(kennung)
    if (sha256 !== undefined) {
      if (await verbucheBild(db, sub, { kennung, sha256 })) gone.add(kennung)
      else
        await merkeBildstand(db, sub, kennung, {
          stand: 'abgelehnt',
          regel: 'habitat_kennung_vergeben',
          fehler: t('Unter dieser Kennung liegt auf dem Server ein anderes Foto.'),
        })
    } else if (stand === 'gesendet') await merkeBildstand(db, sub, kennung, { stand: 'wartet' })
  }
  return gone
}

/** False: refused, with its reason in the row. */
async function sendeBild({ db, sub, weg, signal }: AbgleichOptions, kennung: Kennung, tell: (bytes: number) => void): Promise<boolean> {
  const bild = await fetchBild(db, sub, kennung)
  // Discarded, or sent by another window.
  if (bild === undefined || bild.stand === 'abgelehnt') return bild === undefined
  await merkeBildstand(db, sub, kennung, { versuche: bild.versuche + 1 })
  try {
    await weg.sende({
      bild,
      signal,
      onUpload: (upload) => merkeBildstand(db, sub, kennung, { upload }),
      onGesendet: tell,
    })
  } catch (error) {
    if (!(error instanceof WegFehler) || error.code !== 'abgelehnt') throw error
    await merkeBildstand(db, sub, kennung, { stand: 'abgelehnt', fehler: error.message, regel: error.regel, upload: null })
    geaendert()
    return false
  }
  await merkeBildstand(db, sub, kennung, { stand: 'gesendet', gesendet: bild.groesse, fehler: null, regel: null })
  return true
}

/** Pause before the next try after so many failures, a little by chance so that a team's devices do not all come at once. */
export function pauseMs(fehlschlaege: number, zufall: number): number {
  const steps = [2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000]
  const base = steps[Math.min(Math.max(fehlschlaege, 1), steps.length) - 1]!
  return Math.round(base * (0.9 + zufall * 0.2))
}
