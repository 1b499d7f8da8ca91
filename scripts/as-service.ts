// node as-service.ts FILE SCRIPT …: runs a script with the settings that systemd reads from a file.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseServiceSettings } from './service-settings.ts'

const [node = '', , file = '', script = '', ...words] = process.argv
const { settings, ignored } = parseServiceSettings(readFileSync(file, 'utf8'))
for (const what of ignored) console.error(`${file}: the service may ignore this: ${what}`)
Object.assign(process.env, settings)
process.argv = [node, script, ...words]
await import(pathToFileURL(script).href)
