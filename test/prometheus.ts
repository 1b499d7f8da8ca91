// promtool and Prometheus for the tests of what they read, installed or unpacked from Debian's package: installed, it
// would start and listen.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpackedFolder, unpackPackages } from './debian-packages.ts'

const UNPACKED = unpackedFolder('prometheus')

/** The folder of both programs; undefined if there is none. */
export const findPrometheus = (): string | undefined =>
  ['/', UNPACKED]
    .map((root) => join(root, 'usr/bin'))
    .find((folder) => ['promtool', 'prometheus'].every((name) => existsSync(join(folder, name))))

/** False where apt does not know it. */
export const unpackPrometheus = (): boolean =>
  findPrometheus() !== undefined ||
  (unpackPackages(['prometheus'], UNPACKED) && findPrometheus() !== undefined)
