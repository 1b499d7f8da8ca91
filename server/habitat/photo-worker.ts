// The process that draws photos one after the other until the server ends it.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import sharp from '#server/sharp.ts'
import { isDiskFull } from '#server/full-disk.ts'
import { type PhotoWork, PhotoFault, type PhotoMessage } from './photo-work.ts'
import { drawPhoto } from './draw-photo.ts'

if (process.send === undefined) throw new Error('this file is started by the server')

// Only the formats of photos, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
// The parallelism comes from the processes; threads within one would only wait for each other.
sharp.concurrency(1)

const ALMOST_NOTHING = 4 * 2 ** 20

async function faultOf({ targets }: PhotoWork, error: unknown): Promise<PhotoFault> {
  if (error instanceof PhotoFault) return error
  const message = error instanceof Error ? error.message : String(error)
  const free = await statfs(dirname(targets.klein)).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )
  if (isDiskFull(error) || free < ALMOST_NOTHING || /no space left/i.test(message))
    return new PhotoFault('bild_platz', message)
  return new PhotoFault(/pixel limit/i.test(message) ? 'bild_pixel' : 'bild_kaputt', message)
}

process.on('message', (task: PhotoWork) => {
  void drawPhoto(task)
    .then((result): PhotoMessage => ({ nr: task.nr, kind: 'fertig', ergebnis: result }))
    .catch(async (error: unknown): Promise<PhotoMessage> => {
      const { code, message } = await faultOf(task, error)
      return { nr: task.nr, kind: 'fehler', code, message: message.slice(0, 500) }
    })
    .then((message) => process.send?.(message))
})
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
