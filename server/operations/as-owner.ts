import type { OwnerConnection } from '#server/database/database.ts'

/** Owner-level work on whichever engine; the connection is valid only while `work` runs. */
export type AsOwner = <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>
