// node scripts/weigh-parts.ts [folder]: the figures of docs/decisions/own-parts.md. Lines of each part of ours
// that a library could replace, and its bytes in the browser; with a folder in which the libraries are
// installed also theirs. Bytes are those of one module, minified, by gzip, without React and without what
// other modules of ours contribute.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const NOT_CODE = /\.(?:test|fixture|child)\.|\.test\./

/** Those under web/ are bundled as well. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  router: ['web/src/app/routing/*.ts*'],
  'tabs of kept pages': ['web/src/app/views/*.ts*'],
  dialog: ['web/src/ui/Dialog.tsx'],
  menu: ['web/src/ui/Menu.tsx', 'web/src/ui/place.ts'],
  'multi-select': ['web/src/ui/MultiSelect.tsx'],
  'date field': ['web/src/ui/DateField.tsx', 'web/src/ui/parse-day.ts'],
  tabs: ['web/src/ui/Tabs.tsx'],
  toasts: ['web/src/ui/Toaster.tsx', 'web/src/ui/toasts.ts'],
  'record field': ['web/src/list/RecordField.tsx'],
  table: ['web/src/ui/DataTable.tsx', 'web/src/ui/fitting.ts'],
  'virtual table': ['web/src/list/VirtualTable.tsx'],
  'file drop': ['web/src/ui/FileDrop.tsx'],
  charts: ['web/src/ui/chart/*.ts*'],
  texts: ['web/src/ui/text.ts'],
  'data client': ['web/src/data/client.ts', 'web/src/data/rows.ts', 'web/src/data/rpc.ts'],
  'service worker': ['web/worker.js'],
  'ZIP, writing in the browser': ['web/src/ui/export/zip.ts'],
  'ZIP, reading in the browser': ['web/src/data/unpack-zip.ts'],
  'XLSX, writing': ['domain/xlsx.ts', 'web/src/ui/export/xlsx*.ts'],
  'CSV, writing': ['domain/spreadsheet.ts', 'web/src/ui/export/csv.ts', 'server/geodata/write-csv.ts'],
  'PDF of maps': ['web/src/karte/pdf.ts'],
  'bank statements': [
    'domain/camt/*.ts',
    'domain/mt940/*.ts',
    'domain/bank-csv/*.ts',
    'web/src/features/buchhaltung/zahlung/parse-xml.ts',
  ],
  'files for the bank': ['domain/sepa/{pain,charset,creditor-id,target-day}.ts'],
  decimals: ['domain/geld.ts'],
  'IBAN, VAT id': ['domain/iban.ts', 'domain/ust-id.ts'],
  'NMEA 0183': ['domain/gnss/*.ts'],
  georeferencing: ['domain/georef/*.ts'],
  'e-invoice': ['domain/e-rechnung/*.ts', 'server/documents/facturx.ts'],
  'ZIP, writing on the server': ['server/write-zip.ts'],
  'ZIP, reading on the server': ['server/geodata/zip.ts'],
  'TIFF, reading': ['server/karten/read-tiff.ts'],
  'GeoTIFF, writing': ['server/karten/cog*.ts', 'server/karten/tiff.ts'],
  'picture tiles': ['server/karten/tiles.ts', 'server/karten/pyramid.ts', 'server/karten/sampler.ts'],
  'vector tiles': ['server/kataster/mvt.ts'],
  'GeoPackage, reading': ['server/geodata/gpkg.ts', 'server/geodata/sqlite.ts'],
  'GeoPackage, writing': ['server/geodata/write-gpkg.ts'],
  GeoJSON: ['server/geodata/geojson.ts', 'server/geodata/json-members.ts'],
  'shapefile, DBF': ['server/geodata/shapefile.ts', 'server/geodata/dbf.ts'],
  'S3 store': ['server/files/s3-*.ts'],
  uploads: ['server/files/upload*.ts', 'server/files/tus-server.ts'],
  'data API': ['server/data-api/*.ts'],
  'embedded engine': ['server/database/{embedded,engine,durable,guard,complexity}*.ts'],
  'PostgreSQL connections': ['server/database/{postgres,exchange,wire,incoming,inbound}*.ts'],
  'work queue': ['server/work-queue.ts', 'server/database/fair-queue.ts'],
  'jobs of plans': ['server/karten/jobs.ts'],
  'mail queues': ['server/dispatch/post.ts', 'server/notices/post.ts', 'server/identity/outbox.ts'],
  'sign-in around the provider': ['server/identity/*.ts'],
  migrations: ['server/operations/migrate.ts', 'server/operations/migration-files.ts'],
  'dump and restore': ['server/operations/{dump,dump-file,restore,tables}.ts'],
  settings: ['server/{config,settings,setting-kinds,near-names}.ts'],
  'security headers': ['server/headers.ts'],
  'foreign processes': ['server/reader/*.ts'],
  'SQL layout': ['scripts/format-sql.ts', 'scripts/sql-format/*.ts'],
}

const ARIA = 'react-aria-components'
const BASE = '@base-ui/react'
const MODAL = ['Dialog', 'DialogTrigger', 'Modal', 'ModalOverlay', 'Heading']
const MENU = ['Menu', 'MenuItem', 'MenuTrigger', 'Popover', 'Button', 'Separator']
const TABS = ['Tabs', 'TabList', 'Tab', 'TabPanel']
const TOASTS = ['UNSTABLE_Toast', 'UNSTABLE_ToastRegion', 'UNSTABLE_ToastQueue', 'UNSTABLE_ToastContent']
const OPTIONS = ['Button', 'Popover', 'Label', 'ListBox', 'ListBoxItem']
const TYPED_DATE = ['DateInput', 'DateSegment', 'Label', 'FieldError', 'I18nProvider']
const CALENDAR = ['Calendar', 'CalendarGrid', 'CalendarGridHeader', 'CalendarHeaderCell', 'CalendarGridBody']
const ROUTES = [
  'createRouter',
  'createRoute',
  'createRootRoute',
  'RouterProvider',
  'Outlet',
  'Link',
  'redirect',
]
const ROUTE_HOOKS = ['useBlocker', 'useRouter', 'useNavigate', 'useParams', 'useSearch', 'useLocation']
const ROWS = ['Table', 'TableHeader', 'TableBody', 'Column', 'Row', 'Cell', 'Checkbox']
const BARS = ['BarChart', 'Bar', 'XAxis', 'YAxis', 'Tooltip', 'ResponsiveContainer', 'CartesianGrid']
const BASE_DIALOG = { [`${BASE}/dialog`]: ['Dialog'], [`${BASE}/alert-dialog`]: ['AlertDialog'] }
const BASE_SHELL = {
  ...BASE_DIALOG,
  [`${BASE}/menu`]: ['Menu'],
  [`${BASE}/tabs`]: ['Tabs'],
  [`${BASE}/toast`]: ['Toast'],
}
/** What a replacement would import: names by module. */
const LIBRARIES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'router: TanStack': { '@tanstack/react-router': [...ROUTES, ...ROUTE_HOOKS] },
  'dialog: React Aria': { [ARIA]: MODAL },
  'dialog: Base UI': BASE_DIALOG,
  'menu: React Aria': { [ARIA]: MENU },
  'menu: Base UI': { [`${BASE}/menu`]: ['Menu'] },
  'multi-select: React Aria': { [ARIA]: ['Select', 'SelectValue', ...OPTIONS] },
  'multi-select: Base UI': { [`${BASE}/select`]: ['Select'] },
  'date field: React Aria': {
    [ARIA]: ['DatePicker', 'Group', 'Button', 'Popover', 'CalendarCell', ...TYPED_DATE, ...CALENDAR],
  },
  'date field without a calendar: React Aria': { [ARIA]: ['DateField', ...TYPED_DATE] },
  'tabs: React Aria': { [ARIA]: TABS },
  'tabs: Base UI': { [`${BASE}/tabs`]: ['Tabs'] },
  'tooltip: React Aria': { [ARIA]: ['Tooltip', 'TooltipTrigger', 'Button'] },
  'tooltip: Base UI': { [`${BASE}/tooltip`]: ['Tooltip'] },
  'toasts: React Aria': { [ARIA]: [...TOASTS, 'Text', 'Button'] },
  'toasts: Base UI': { [`${BASE}/toast`]: ['Toast'] },
  'toasts: sonner': { sonner: ['Toaster', 'toast'] },
  'record field: React Aria': { [ARIA]: ['ComboBox', 'Input', ...OPTIONS] },
  'record field: Base UI': { [`${BASE}/combobox`]: ['Combobox'] },
  'table: React Aria': { [ARIA]: [...ROWS, 'Virtualizer', 'TableLayout'] },
  'file drop: React Aria': { [ARIA]: ['DropZone', 'FileTrigger'] },
  'shell (dialog, menu, tabs, toasts): React Aria': {
    [ARIA]: [...new Set([...MODAL, ...MENU, ...TABS, ...TOASTS])],
  },
  'shell (dialog, menu, tabs, toasts): Base UI': BASE_SHELL,
  'charts: recharts': { recharts: BARS },
  'texts: i18next': { i18next: ['default'] },
  'service worker: workbox': {
    'workbox-precaching': ['precacheAndRoute'],
    'workbox-routing': ['registerRoute'],
  },
  'ZIP writing: fflate, whole': { fflate: ['zipSync'] },
  'ZIP writing: fflate, streamed': { fflate: ['Zip', 'ZipPassThrough'] },
  'ZIP writing: client-zip': { 'client-zip': ['downloadZip'] },
  'ZIP reading: fflate': { fflate: ['unzipSync'] },
  'XLSX writing: write-excel-file': { 'write-excel-file/browser': ['default'] },
  'CSV writing: papaparse': { papaparse: ['unparse'] },
  'PDF: pdf-lib': { 'pdf-lib': ['PDFDocument', 'StandardFonts', 'rgb'] },
  'PDF: jspdf': { jspdf: ['jsPDF'] },
  'decimals: decimal.js': { 'decimal.js': ['Decimal'] },
  'IBAN: ibantools': { ibantools: ['isValidIBAN'] },
  'VAT id: jsvat': { jsvat: ['checkVAT', 'germany'] },
  'NMEA 0183: gps': { gps: ['default'] },
  'TIFF reading: geotiff': { geotiff: ['fromBlob'] },
}
const ENTRIES = Object.entries(LIBRARIES)
const PEERS = /^(?:react|react-dom)(?:\/|$)/

/** Bytes by gzip of a module that exports everything from `code`. */
async function weigh(code: string, root: string, isForeign: (id: string, from?: string) => boolean) {
  const entry = join(root, 'weighed.js')
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'weighed',
        resolveId: { order: 'pre', handler: (id) => (id === entry ? entry : null) },
        load: { order: 'pre', handler: (id) => (id === entry ? code : null) },
      },
    ],
    build: {
      write: false,
      target: 'chrome125',
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        external: (id, from) => id !== entry && isForeign(id, from),
      },
    },
  })) as Rolldown.RolldownOutput
  const chunks = result.output.filter((file) => file.type === 'chunk')
  return chunks.reduce((bytes, chunk) => bytes + gzipSync(chunk.code, { level: 9 }).length, 0)
}

function weighOwn(files: readonly string[]): Promise<number> {
  const own = new Set(files)
  const code = files.map((file) => `export * from ${JSON.stringify(file)}`).join('\n')
  return weigh(
    code,
    ROOT,
    (id, from) => !own.has(id.startsWith('.') && from ? resolve(dirname(from), id) : id),
  )
}

const kilobytes = (count: number): string => `${(count / 1000).toFixed(1)} kB`.padStart(10)

async function weighPart([part, patterns]: readonly [string, readonly string[]]): Promise<string> {
  const files = patterns
    .flatMap((pattern) => globSync(join(ROOT, pattern)))
    .filter((file) => !NOT_CODE.test(file))
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  const shipped = files.filter((file) => /^(?:web|domain)\//.test(relative(ROOT, file)))
  const size = shipped.length === 0 ? '' : kilobytes(await weighOwn(shipped))
  return `${part.padEnd(46)} ${String(lines).padStart(6)} ${size}`
}
async function weighLibrary([library, modules]: (typeof ENTRIES)[number], folder: string): Promise<string> {
  const code = Object.entries(modules)
    .map(([module, names]) => `export { ${names.join(', ')} } from '${module}'`)
    .join('\n')
  const size = await weigh(code, resolve(folder), (id) => PEERS.test(id))
  return `${library.padEnd(53)} ${kilobytes(size)}`
}

for (const line of await Promise.all(Object.entries(PARTS).map(weighPart))) console.log(line)
const folder = process.argv[2]
if (folder !== undefined) {
  const weighed = ENTRIES.map((library) => weighLibrary(library, folder))
  for (const line of await Promise.all(weighed)) console.log(line)
}
