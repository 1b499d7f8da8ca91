// What runs beside the requests: the daily dump and its proof, the check of a database that was not closed,
// scheduled upkeep, and the mails of notices.
import { mkdirSync } from 'node:fs'
import type { Config } from './config.ts'
import { createMailer } from './identity/mail.ts'
import type { Log } from './log.ts'
import { startPost } from './notices/post.ts'
import { tellExpiry } from './notices/tell-expiry.ts'
import type { OpenedDatabase } from './open-database.ts'
import { addAbkuerzungen } from './operations/abkuerzungen.ts'
import { type BackupSchedule, startBackupSchedule } from './operations/backup-schedule.ts'
import { removeBlocked } from './operations/blocked-kunden.ts'
import { checkIntegrity } from './operations/integrity.ts'
import { createProof } from './operations/proof.ts'
import { runUpkeep, startUpkeep, UPKEEP } from './operations/upkeep.ts'
import { SCHEMA_FOLDER } from './prepare.ts'

export interface KeepSafeOptions {
  readonly config: Config
  readonly opened: OpenedDatabase
  readonly log: Log
  readonly now: () => Date
}

export function keepSafe(options: KeepSafeOptions): { stop(): Promise<void> } {
  const { opened, log, now } = options
  let stopped = false
  // A check that shutdown interrupts is repeated by the next weekly run.
  const checked = (error: unknown) =>
    stopped ? undefined : log.error('integrity check failed', { reason: String(error) })
  if (opened.unclean) void checkIntegrity(opened.asOwner, { now, log }).catch(checked)
  const schedule = options.config.BACKUP ? scheduleDumps(options) : null
  const {
    UPKEEP_EVERY_S,
    MAIL_EVERY_S,
    SMTP_URL: smtpUrl,
    MAIL_FROM: from,
    PUBLIC_ORIGIN: origin,
    APP_TITLE: title,
  } = options.config
  const upkeep = startUpkeep({
    asOwner: opened.asOwner,
    tasks: [tellExpiry, addAbkuerzungen, removeBlocked, ...UPKEEP],
    everyMs: UPKEEP_EVERY_S * 1000,
    log,
    now,
  })
  // Immediately, so that the list is there from the first minute.
  void runUpkeep({ asOwner: opened.asOwner, tasks: [addAbkuerzungen], log, now }).catch((error: unknown) => {
    if (!stopped) log.error('upkeep failed', { task: addAbkuerzungen.name, reason: String(error) })
  })
  const post = startPost({
    asOwner: opened.asOwner,
    send: createMailer({ smtpUrl, from, log }),
    everyMs: MAIL_EVERY_S * 1000,
    origin,
    title,
    log,
  })
  return {
    async stop() {
      stopped = true
      await upkeep.stop()
      await post.stop()
      await schedule?.stop()
    },
  }
}

function scheduleDumps({ config, opened, log, now }: KeepSafeOptions): BackupSchedule {
  mkdirSync(config.BACKUP_DIR, { recursive: true, mode: 0o700 })
  const ownerUrl = config.DATABASE_OWNER_URL ?? config.DATABASE_URL
  return startBackupSchedule({
    asOwner: opened.asOwner,
    proof: createProof({
      folder: config.BACKUP_DIR,
      schemaFolder: SCHEMA_FOLDER,
      ...(ownerUrl !== undefined && { ownerUrl }),
    }),
    engine: opened.database.engine,
    folder: config.BACKUP_DIR,
    keep: { daily: config.BACKUP_DAILY, weekly: config.BACKUP_WEEKLY },
    at: config.BACKUP_AT,
    log,
    now,
  })
}
