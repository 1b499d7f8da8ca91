// GDAL for comparison, if installed: programs with an argument vector, no shell.
import { spawn } from 'node:child_process'
import { findTools } from '../../server/karten/tools.ts'

const FOLDERS = ['/usr/bin', '/usr/local/bin']
export const programs = async () => (await findTools(FOLDERS)).gdal

export function run(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const [said, wrong]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => void said.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => void wrong.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(said).toString('utf8'))
        : reject(new Error(`${program} ${code}: ${Buffer.concat(wrong).toString('utf8').slice(0, 500)}`)),
    )
    child.stdin.end(input)
  })
}
