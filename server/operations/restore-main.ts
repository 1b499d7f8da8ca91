// npm run restore -- <Datei>: restores a dump into the configured, empty database.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config.ts'
import { silentLog } from '#server/log.ts'
import { count, runCommand } from './command.ts'
import { readManifest } from './dump-file.ts'
import { OperatorFault } from './operator-fault.ts'
import { atPlace, configuredPlace, describePlace, SCHEMA_FOLDER } from './places.ts'
import { restore } from './restore.ts'

const USAGE = 'Aufruf: npm run restore -- <Datei>'

await runCommand(USAGE, async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const [file] = positionals
  if (file === undefined) throw new OperatorFault(`Welche Sicherung? ${USAGE}`)
  // Before anything is opened or created: rejects if there is no such file or it is not a dump.
  await readManifest(resolve(file))
  const place = configuredPlace(readProcessConfig())
  console.log(`Spiele ${file} ein in ${describePlace(place)} …`)
  const options = { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() }
  const { manifest, rows } = await atPlace(place, (owner) => restore(owner, resolve(file), options))
  console.log(
    `Fertig: ${count(rows)} Zeilen in ${manifest.tables.length} Tabellen, alle Prüfsummen gleich. ` +
      `Stand der Sicherung: ${manifest.zeit}.`,
  )
})
