// The process that reads a mail; it ends with it.
import { readFileSync } from 'node:fs'
import { EINGANG_BYTES } from '#contract/eingang.ts'
import { readerChild } from '#server/reader/reader-child.ts'
import type { MailMessage, MailTask } from './mail-reader.ts'
import { readMail } from './read-mail.ts'

const { task, tell } = await readerChild<MailTask, MailMessage>()
try {
  const { head, files, rule } = await readMail(readFileSync(task.path))
  tell({ art: 'kopf', head, rule })
  // Too large for an invoice; said without its bytes, for which a line has no room.
  for (const { name, bytes } of files)
    if (bytes.length > EINGANG_BYTES) tell({ art: 'datei', name, base64: null })
    else tell({ art: 'datei', name, base64: bytes.toString('base64') })
  tell({ art: 'ende' })
} catch {
  tell({ art: 'kaputt' })
}
process.exit(0)
