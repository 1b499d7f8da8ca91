// Reads survey files in a process of their own.
import type { DateiSchicht, VermessungFormat, Vorschau } from '#contract/vermessung-import.ts'
import type { Fehler } from '#domain/vermessung/pruefen.ts'
import type { RunOptions } from '#server/reader/run-reader.ts'
import { readForeign } from '../geodaten/foreign.ts'
import { DateiFault } from '../geodaten/quelle.ts'
import type { Auftrag, Nachricht } from './arbeit.ts'

type Auskunft = Omit<Auftrag, 'werte' | 'lesen'>
type Zeilen = Extract<Nachricht, { art: 'zeilen' }>

const run = (auftrag: Auftrag, options: RunOptions) =>
  readForeign<Nachricht>(new URL('./leser-worker.ts', import.meta.url), auftrag, options)

async function only<Art extends Nachricht['art']>(
  art: Art,
  auftrag: Auftrag,
  options: RunOptions,
): Promise<Extract<Nachricht, { art: Art }>> {
  for await (const message of run(auftrag, options)) if (message.art === art) return message as Extract<Nachricht, { art: Art }>
  throw new DateiFault('datei_kaputt')
}

export async function readLage(
  auftrag: Auskunft,
  options: RunOptions = {},
): Promise<{ format: VermessungFormat; schichten: DateiSchicht[] }> {
  return only('lage', { ...auftrag, werte: null, lesen: false }, options)
}
export async function readVorschau(
  auftrag: Auskunft & { readonly werte: NonNullable<Auftrag['werte']> },
  options: RunOptions = {},
): Promise<Vorschau> {
  return (await only('vorschau', { ...auftrag, lesen: false }, options)).vorschau
}

/** Hands over the objects; the next packet is read when `take` is done. Answers the faults. */
export async function readObjekte(
  auftrag: Auskunft & { readonly werte: NonNullable<Auftrag['werte']> },
  take: (zeilen: Zeilen) => Promise<void>,
  options: RunOptions = {},
): Promise<{ fehlerzahl: number; fehler: readonly Fehler[] }> {
  for await (const message of run({ ...auftrag, lesen: true }, options)) {
    if (message.art === 'zeilen') await take(message)
    if (message.art === 'fertig') return message
  }
  throw new DateiFault('datei_kaputt')
}
