// npm run move -- --nach <Adresse oder Ordner> [--von <Adresse oder Ordner>]: moves all data between the
// embedded engine and PostgreSQL.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readProcessConfig } from '#server/config.ts'
import { silentLog } from '#server/log.ts'
import { count, runCommand } from './command.ts'
import { move } from './move.ts'
import { OperatorFault } from './operator-fault.ts'
import { atPlace, configuredPlace, describePlace, isAddress, SCHEMA_FOLDER } from './places.ts'
import { dumpName } from './rotation.ts'

const USAGE = 'Aufruf: npm run move -- --nach <postgres://… oder Ordner> [--von <postgres://… oder Ordner>]'

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { von: { type: 'string' }, nach: { type: 'string' } } })
  if (values.nach === undefined) throw new OperatorFault(`Wohin? ${USAGE}`)
  const config = readProcessConfig()
  const source = values.von ?? configuredPlace(config)
  const target = values.nach
  if (source === target || (!isAddress(source) && !isAddress(target) && resolve(source) === resolve(target)))
    throw new OperatorFault('Quelle und Ziel sind dasselbe.')
  const now = () => new Date()
  const path = resolve(join(config.BACKUP_DIR, `umzug-${dumpName(now())}`))
  console.log(`Ziehe um: ${describePlace(source)} → ${describePlace(target)} …`)
  const options = { folder: SCHEMA_FOLDER, log: silentLog, now }
  const { manifest, rows } = await atPlace(source, (from) =>
    atPlace(target, (to) => move({ from, to, path }, options)),
  )
  console.log(
    `Fertig: ${count(rows)} Zeilen in ${manifest.tables.length} Tabellen, alle Prüfsummen gleich. ` +
      `Die Quelle ist unverändert, eine Sicherung liegt in ${path}.`,
  )
  console.log(
    isAddress(target)
      ? 'Jetzt DATABASE_URL auf das Ziel setzen und den Server starten.'
      : 'Jetzt DATABASE_URL entfernen, DATA_DIR auf das Ziel setzen und den Server starten.',
  )
})
