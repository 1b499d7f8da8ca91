// What runs beside the requests: the daily dump and its proof, the check of a database that was not closed,
// scheduled upkeep, the mails of notices, and the anchors and nightly check of the books.
import { mkdirSync } from 'node:fs'
import type { AnchorPlaces } from './anchor-check.ts'
import { type Config, supportOf } from './config.ts'
import { createJob, type Job } from './job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { noticePost } from './notices/post.ts'
import { tellExpiry } from './notices/tell-expiry.ts'
import type { OpenedDatabase } from './open-database.ts'
import { addAbkuerzungen } from './operations/abkuerzungen.ts'
import { backupSchedule } from './operations/backup-schedule.ts'
import { removeBlocked } from './operations/blocked-kunden.ts'
import { anchorJob } from './operations/book-anchors.ts'
import { bookCheckJob } from './operations/book-check.ts'
import { checkIntegrity } from './operations/integrity.ts'
import { forgetAnswers } from './operations/forget-answers.ts'
import { countSurvey } from './operations/count-survey.ts'
import { forgetEvents } from './operations/forget-events.ts'
import { createProof } from './operations/proof.ts'
import { turnTerms, upkeepJob } from './operations/upkeep.ts'
import { SCHEMA_FOLDER } from './prepare.ts'
import type { Room } from './room.ts'

export interface KeepSafeOptions {
  readonly config: Config
  readonly opened: OpenedDatabase
  readonly log: Log
  readonly now: () => Date
  readonly anchors: AnchorPlaces
}

export function keepSafe(options: KeepSafeOptions): Room {
  const { config, opened, log, now } = options
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config
  const upkeep = upkeepJob({
    asOwner: opened.asOwner,
    tasks: [
      tellExpiry,
      addAbkuerzungen,
      removeBlocked,
      forgetAnswers,
      forgetEvents(config.CHANGES_DAYS),
      turnTerms,
      countSurvey,
    ],
    // Immediately, so that the list is there from the first minute.
    atStart: [addAbkuerzungen],
    everyMs: config.UPKEEP_EVERY_S * 1000,
    log,
    now,
  })
  const post = noticePost({
    asOwner: opened.asOwner,
    send: createMailer({ smtpUrl, from, log }),
    everyMs: config.MAIL_EVERY_S * 1000,
    origin: config.PUBLIC_ORIGIN,
    title: config.APP_TITLE,
    support: supportOf(config),
    log,
  })
  return {
    name: 'upkeep and dumps',
    jobs: [
      upkeep,
      post,
      ...(opened.unclean ? [integrityCheck(options)] : []),
      ...(config.BACKUP ? [scheduledDumps(options)] : []),
      ...checksOfBooks(options),
    ],
  }
}

/** Once, after a start that found the embedded engine not closed properly. */
const integrityCheck = ({ opened, log, now }: KeepSafeOptions): Job =>
  createJob({
    name: 'integrity check',
    firstMs: 0,
    everyMs: Number.POSITIVE_INFINITY,
    // Not waited for: what stopping interrupts is repeated by the next weekly run.
    graceMs: 0,
    round: () => checkIntegrity(opened.asOwner, { now, log }),
    onFault: (error) => log.error('integrity check failed', { reason: reasonForLog(error) }),
  })

function scheduledDumps({ config, opened, log, now }: KeepSafeOptions): Job {
  mkdirSync(config.BACKUP_DIR, { recursive: true, mode: 0o700 })
  const ownerUrl = config.DATABASE_OWNER_URL ?? config.DATABASE_URL
  return backupSchedule({
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

function checksOfBooks({ config, opened, log, now, anchors }: KeepSafeOptions): Job[] {
  const shared = { ...anchors, asOwner: opened.asOwner, log, now }
  const send = createMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, log })
  const { ANCHOR_MAIL: to, PUBLIC_ORIGIN: origin, APP_TITLE: title } = config
  return [
    anchorJob({ ...shared, everyMs: config.UPKEEP_EVERY_S * 1000 }),
    bookCheckJob({
      ...shared,
      engine: opened.database.engine,
      mail: send === null || to === undefined ? null : { send, to, origin, title },
      at: config.BOOKS_CHECK_AT,
    }),
  ]
}
