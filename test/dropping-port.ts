// A port whose machine seems to be off: what is sent to it is dropped, and nothing refuses it. Linux drops attempts to
// connect once the queue of a listener that accepts nothing is full.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface DroppingPort {
  readonly port: number
  stop(): void
}

const LISTENER = `
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`

/** More than wait in the queue. */
const WAITING = 8

export async function openDroppingPort(): Promise<DroppingPort> {
  const listener = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = (await once(listener.stdout, 'data')) as [Buffer]
  const port = Number(String(said))
  // Asleep it accepts nothing.
  listener.kill('SIGSTOP')
  const sockets: Socket[] = []
  for (let nr = 0; nr < WAITING; nr++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    sockets.push(socket)
  }
  await new Promise((done) => setTimeout(done, 300))
  return {
    port,
    stop() {
      for (const socket of sockets) socket.destroy()
      listener.kill('SIGKILL')
    },
  }
}
