// An empty database for a moment: a dump counts only when it was restored and compared.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnerConnection } from '#server/database/database.ts'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import type { Log } from '#server/log.ts'
import { OperatorFault } from './operator-fault.ts'

export type WithScratch = <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>

/** In a folder of its own below `folder`; the archive of buildTemplateArchive saves making a database from nothing. */
export function embeddedScratch(folder: string, log: Log, templateArchive?: string): WithScratch {
  return async (work) => {
    const place = await mkdtemp(join(folder, 'probe-'))
    try {
      const database = await createEmbeddedDatabase({ folder: place, log, ...(templateArchive === undefined ? {} : { templateArchive }) })
      try {
        return await database.asOwner(work)
      } finally {
        await database.close()
      }
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  }
}

/**
 * Beside the real database on the same server, when the owner may create one with PostGIS in it; otherwise the embedded engine serves:
 * dumps do not depend on the engine.
 */
export function postgresScratch(ownerUrl: string, otherwise: WithScratch): WithScratch {
  return async (work) => {
    const name = `forstkontor_probe_${randomBytes(6).toString('hex')}`
    const owner = await createOwnerConnection(ownerUrl)
    try {
      if (!(await mayCreate(owner))) return await otherwise(work)
      await owner.query(`create database ${name} template template0 encoding 'UTF8'`)
      try {
        return await onDatabase(ownerUrl, name, work)
      } catch (error) {
        if (error instanceof OperatorFault && error.message.includes('PostGIS')) return await otherwise(work)
        throw error
      } finally {
        await owner.query(`drop database if exists ${name} with (force)`)
      }
    } finally {
      await owner.close()
    }
  }
}

async function mayCreate(owner: OwnerConnection): Promise<boolean> {
  const { rows } = await owner.query<{ may: boolean }>('select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user')
  return rows[0]?.may === true
}

async function onDatabase<T>(ownerUrl: string, name: string, work: (owner: OwnerConnection) => Promise<T>): Promise<T> {
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  const scratch = await createOwnerConnection(url.toString())
  try {
    return await work(scratch)
  } finally {
    await scratch.close()
  }
}
