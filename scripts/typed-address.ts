// An address with a password that a command takes on standard input: the arguments of a command are seen by everybody
// on the machine (`ps`), and stay in the shell's history.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** The first line; empty if there is none. At a terminal it is asked for, and not shown while it is typed. */
export async function typedAddress(input: NodeJS.ReadStream, ask: NodeJS.WriteStream): Promise<string> {
  if (input.isTTY) ask.write('Adresse der Datenbank (wird nicht angezeigt): ')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: input.isTTY })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (input.isTTY) ask.write('\n')
  }
}
