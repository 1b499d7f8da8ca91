// Closed lists of a customer's fields; the database checks against the same ones (0001_stammdaten.sql).

export { EPSG_CODES, epsgName } from '#domain/epsg.ts'

export const SALUTATIONS = ['Frau', 'Herr', 'divers'] as const
