import type { OwnerConnection } from '#server/database/database.ts'

/** Runs work as the owner, on either engine; the connection is valid only while `work` runs. */
export type AsOwner = <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>
