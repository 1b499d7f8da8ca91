// npm run dump [-- <Datei>]: writes a dump of the configured database.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config.ts'
import { count, inMegabytes, runCommand } from './command.ts'
import { dump } from './dump.ts'
import { atPlace, configuredPlace, describePlace } from './places.ts'
import { dumpName } from './rotation.ts'

await runCommand('Aufruf: npm run dump [-- <Datei>]', async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const config = readProcessConfig()
  const now = () => new Date()
  const path = resolve(positionals[0] ?? join(config.BACKUP_DIR, dumpName(now())))
  const place = configuredPlace(config)
  console.log(`Sichere ${describePlace(place)} …`)
  const { manifest, size } = await atPlace(place, (owner) => dump(owner, path, now))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `Fertig: ${path} (${inMegabytes(size)}, ${manifest.tables.length} Tabellen, ` +
      `${count(rows)} Zeilen). Nur für Sie lesbar.`,
  )
  console.log(
    `Zum Wiederherstellen der Anmeldung gehört auch ${config.IDP_SECRET_FILE}; bitte getrennt und sicher aufbewahren.`,
  )
})
