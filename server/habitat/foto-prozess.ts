// The process that draws photos, one after the other, until the server ends it.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import sharp from '#server/sharp.ts'
import { isFull } from '#server/dateien/ablage.ts'
import { type FotoArbeit, FotoFault, type FotoNachricht } from './foto-arbeit.ts'
import { zeichneFoto } from './foto-zeichnen.ts'

if (process.send === undefined) throw new Error('this file is started by the server')

// Nothing but the formats of photos, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
// As many photos at a time as there are processes; threads within one would only wait for each other.
sharp.concurrency(1)

const ALMOST_NOTHING = 4 * 2 ** 20

async function faultOf({ ziele }: FotoArbeit, error: unknown): Promise<FotoFault> {
  if (error instanceof FotoFault) return error
  const message = error instanceof Error ? error.message : String(error)
  const free = await statfs(dirname(ziele.klein)).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )
  if (isFull(error) || free < ALMOST_NOTHING || /no space left/i.test(message)) return new FotoFault('bild_platz', message)
  return new FotoFault(/pixel limit/i.test(message) ? 'bild_pixel' : 'bild_kaputt', message)
}

process.on('message', (arbeit: FotoArbeit) => {
  void zeichneFoto(arbeit)
    .then((ergebnis): FotoNachricht => ({ nr: arbeit.nr, kind: 'fertig', ergebnis }))
    .catch(async (error: unknown): Promise<FotoNachricht> => {
      const { code, message } = await faultOf(arbeit, error)
      return { nr: arbeit.nr, kind: 'fehler', code, message: message.slice(0, 500) }
    })
    .then((message) => process.send?.(message))
})
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
