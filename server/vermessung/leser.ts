// Reads survey files in a thread of their own.
import type { DateiSchicht, VermessungFormat, Vorschau } from '#contract/vermessung-import.ts'
import type { Fehler } from '#domain/vermessung/pruefen.ts'
import { inFaden } from '../geodaten/faden.ts'
import { DateiFault } from '../geodaten/quelle.ts'
import type { Auftrag, Nachricht } from './arbeit.ts'

type Auskunft = Omit<Auftrag, 'werte' | 'lesen'>
type Zeilen = Extract<Nachricht, { art: 'zeilen' }>

const run = (auftrag: Auftrag, signal: AbortSignal | undefined) =>
  inFaden<Nachricht>(new URL('./leser-worker.ts', import.meta.url), auftrag, signal)

async function only<Art extends Nachricht['art']>(
  art: Art,
  auftrag: Auftrag,
  signal?: AbortSignal,
): Promise<Extract<Nachricht, { art: Art }>> {
  for await (const message of run(auftrag, signal)) if (message.art === art) return message as Extract<Nachricht, { art: Art }>
  throw new DateiFault('datei_kaputt')
}

export async function readLage(auftrag: Auskunft): Promise<{ format: VermessungFormat; schichten: DateiSchicht[] }> {
  return only('lage', { ...auftrag, werte: null, lesen: false })
}
export async function readVorschau(
  auftrag: Auskunft & { readonly werte: NonNullable<Auftrag['werte']> },
  signal?: AbortSignal,
): Promise<Vorschau> {
  return (await only('vorschau', { ...auftrag, lesen: false }, signal)).vorschau
}

/** Hands over the objects; the next packet is read when `take` is done. Answers the faults. */
export async function readObjekte(
  auftrag: Auskunft & { readonly werte: NonNullable<Auftrag['werte']> },
  take: (zeilen: Zeilen) => Promise<void>,
  signal: AbortSignal,
): Promise<{ fehlerzahl: number; fehler: readonly Fehler[] }> {
  for await (const message of run({ ...auftrag, lesen: true }, signal)) {
    if (message.art === 'zeilen') await take(message)
    if (message.art === 'fertig') return message
  }
  throw new DateiFault('datei_kaputt')
}
