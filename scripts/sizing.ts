// `node scripts/sizing.ts`: what many customers need in cores, memory, disk, traffic and money, computed from measured
// figures and assumptions that are named. docs/scale.md has its answer; a test compares them.

/** On two cores, PostgreSQL 15, 20,000 customers of bench/scale/scene.ts, 154 first pages of lists of staff. */
export const MEASURED = {
  /** Processor time of the data API for a list, with the client that asked in the same process. */
  serverMsPerRequest: 1.6,
  /** Processor time of PostgreSQL for it. */
  databaseMsPerRequest: 3.5,
  /** Of an answer, before compression. */
  kilobytesPerAnswer: 7.6,
  /** Of a new database without rows. */
  emptyMegabytes: 31,
  /** Rows with their indexes and, of customers, trees and objects, without their history. */
  bytesPerRow: {
    customer: 768,
    person: 743,
    tree: 811,
    object: 414,
    /** With two points and one file. */
    plan: 979 + 2 * 217 + 528,
    /** With three lines and a payment. */
    invoice: 940 + 3 * 279 + 359,
    history: 290,
  },
} as const

/** Not measured: what a customer of a surveying company has after ten years, and what is bought where. */
export const ASSUMED = {
  people: 3,
  trees: 60,
  objects: 400,
  plans: 6,
  invoices: 20,
  /** Changes of a row in ten years. */
  changesPerRow: 2,
  documentKilobytes: 100,
  scanMegabytes: 30,
  /** Tiles and results of a plan. */
  resultMegabytes: 20,
  photosPerTree: 2,
  photoMegabytes: 4,
  customersPerClerk: 200,
  activeShare: 0.1,
  requestsPerPerson: 60,
  requestsPerClerk: 2_000,
  /** Photos, tiles and pages of plans that a day's work of one person shows. */
  picturesPerPerson: 40,
  kilobytesPerPicture: 60,
  /** Of the day's requests within its busiest hour, and how much more its busiest seconds have. */
  busyHour: 0.2,
  burst: 3,
  /** The whole server against the data API alone: sessions, logs, screens, jobs. */
  wholeServer: 2,
  /** Processors are not planned fuller. */
  load: 0.5,
  /** Of the rows (not of documents) that should fit into memory. */
  warmShare: 0.5,
  /** A process of the server and what it may start (READER_MEMORY_MB), twice. */
  serverGigabytes: 1.5,
  workdays: 21,
  /** Euros a month. */
  prices: { core: 8, memoryGigabyte: 3, diskGigabyte: 0.1, bucketGigabyte: 0.02, trafficGigabyte: 0.01 },
} as const

export interface Sizing {
  readonly customers: number
  readonly peakPerSecond: number
  readonly servers: number
  readonly serverCores: number
  readonly databaseNodes: number
  readonly databaseCores: number
  readonly memoryGigabytes: number
  readonly diskGigabytes: number
  readonly fileGigabytes: number
  readonly trafficGigabytes: number
  readonly eurosPerMonth: number
}

function databaseBytes(customers: number): { readonly rows: number; readonly documents: number } {
  const { bytesPerRow: bytes, emptyMegabytes } = MEASURED
  const { people, trees, objects, plans, invoices, changesPerRow, documentKilobytes } = ASSUMED
  const changed = 1 + people + trees + objects + plans + invoices
  const one =
    bytes.customer +
    people * bytes.person +
    trees * bytes.tree +
    objects * bytes.object +
    plans * bytes.plan +
    invoices * bytes.invoice +
    changed * changesPerRow * bytes.history
  return {
    rows: emptyMegabytes * 1e6 + customers * one,
    documents: customers * invoices * documentKilobytes * 1e3,
  }
}

export function sizingFor(customers: number): Sizing {
  const a = ASSUMED
  const clerks = Math.ceil(customers / a.customersPerClerk)
  const persons = customers * a.people * a.activeShare
  const daily = persons * a.requestsPerPerson + clerks * a.requestsPerClerk
  const peak = ((daily * a.busyHour) / 3_600) * a.burst
  // Two of each from the size on at which a failure stops many: one may fail at the peak.
  const redundant = customers >= 1_000
  const coresFor = (milliseconds: number): number =>
    Math.max(1, Math.ceil((peak * milliseconds) / 1_000 / a.load))
  const coresOfServers = coresFor(MEASURED.serverMsPerRequest * a.wholeServer)
  // A process answers on one core, and jobs and readers need another.
  const servers = coresOfServers + (redundant ? 1 : 0)
  const databaseNodes = redundant ? 2 : 1
  const databaseCores = Math.max(2, coresFor(MEASURED.databaseMsPerRequest))
  const { rows, documents } = databaseBytes(customers)
  const memory =
    servers * a.serverGigabytes + databaseNodes * Math.max(1, Math.ceil((rows * a.warmShare) / 1e9) + 1)
  // Twice: room for upgrades, dumps and the log of changes.
  const disk = (databaseNodes * 2 * (rows + documents)) / 1e9
  const perCustomer =
    a.plans * (a.scanMegabytes + a.resultMegabytes) + a.trees * a.photosPerTree * a.photoMegabytes
  const files = (customers * perCustomer) / 1e3
  const kilobytes =
    daily * MEASURED.kilobytesPerAnswer + (persons + clerks) * a.picturesPerPerson * a.kilobytesPerPicture
  const traffic = (a.workdays * kilobytes) / 1e6
  const serverCores = servers * 2
  const allDatabaseCores = databaseNodes * databaseCores
  const { core, memoryGigabyte, diskGigabyte, bucketGigabyte, trafficGigabyte } = a.prices
  return {
    customers,
    peakPerSecond: peak,
    servers,
    serverCores,
    databaseNodes,
    databaseCores: allDatabaseCores,
    memoryGigabytes: memory,
    diskGigabytes: disk,
    fileGigabytes: files,
    trafficGigabytes: traffic,
    // A second place for the files, as their backup.
    eurosPerMonth:
      (serverCores + allDatabaseCores) * core +
      memory * memoryGigabyte +
      disk * diskGigabyte +
      2 * files * bucketGigabyte +
      traffic * trafficGigabyte,
  }
}

/** Two figures: more would say what the assumptions do not. */
function shown(value: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(value, 1))) - 1)
  return (Math.ceil(value / step) * step).toLocaleString('en-US', { maximumFractionDigits: 1 })
}

export function sizingTable(): string {
  const all = [100, 10_000, 100_000].map((customers) => sizingFor(customers))
  const row = (name: string, of: (sizing: Sizing) => string): string =>
    `| ${[name, ...all.map((sizing) => of(sizing))].join(' | ')} |`
  return [
    row('Customers', ({ customers }) => customers.toLocaleString('en-US')),
    '|---|---|---|---|',
    row('Requests a second, busiest seconds', ({ peakPerSecond }) => shown(peakPerSecond)),
    row('Servers (cores)', ({ servers, serverCores }) => `${servers} (${serverCores})`),
    row(
      'Nodes of PostgreSQL (cores)',
      ({ databaseNodes, databaseCores }) => `${databaseNodes} (${databaseCores})`,
    ),
    row('Memory, GB', ({ memoryGigabytes }) => shown(memoryGigabytes)),
    row('Disk of PostgreSQL, GB', ({ diskGigabytes }) => shown(diskGigabytes)),
    row('Files, GB, and once more as backup', ({ fileGigabytes }) => shown(fileGigabytes)),
    row('Traffic a month, GB', ({ trafficGigabytes }) => shown(trafficGigabytes)),
    row('Euros a month', ({ eurosPerMonth }) => shown(eurosPerMonth)),
    row('Euros a month and customer', ({ eurosPerMonth, customers }) =>
      (eurosPerMonth / customers).toFixed(2),
    ),
  ].join('\n')
}

if (import.meta.main) console.log(sizingTable())
