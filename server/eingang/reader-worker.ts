// The process that reads a received file; it ends with it.
import { readFileSync } from 'node:fs'
import { readerChild } from '#server/reader/reader-child.ts'
import { FileFault } from './file-fault.ts'
import { readAttachment, readFile, readXml } from './read-file.ts'
import type { Message, ReadTask } from './reader.ts'

const { task, tell } = await readerChild<ReadTask, Message>()
try {
  const bytes = readFileSync(task.path)
  if (task.attachment === null) tell({ art: 'gelesen', read: readFile(bytes, task.self) })
  else if (task.attachment === 'xml') {
    const base64 = readXml(bytes)?.toString('base64')
    tell({ art: 'anlage', attachment: base64 === undefined ? null : { name: '', mime: '', base64 } })
  } else tell({ art: 'anlage', attachment: readAttachment(bytes, task.attachment) })
} catch (error) {
  if (!(error instanceof FileFault)) throw error
  tell({ art: 'grund', code: error.code })
}
process.exit(0)
