// Names of variables that are not ours but were probably meant to be: otherwise the default would silently
// apply. Variables of other programs are left alone.

/**
 * What other programs and conventions call our settings. Counts only while ours is not set: both
 * may be there for a reason.
 */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  DB_URL: 'DATABASE_URL',
  DATABASE_DSN: 'DATABASE_URL',
  POSTGRES_URL: 'DATABASE_URL',
  POSTGRESQL_URL: 'DATABASE_URL',
  PG_URL: 'DATABASE_URL',
  SMTP_HOST: 'SMTP_URL',
  SMTP_SERVER: 'SMTP_URL',
  MAIL_URL: 'SMTP_URL',
  MAILER_URL: 'SMTP_URL',
  BASE_URL: 'PUBLIC_ORIGIN',
  PUBLIC_URL: 'PUBLIC_ORIGIN',
  POSTGRES_URI: 'DATABASE_URL',
  DB_URI: 'DATABASE_URL',
  DB_POOL_SIZE: 'DB_POOL',
  POOL_SIZE: 'DB_POOL',
  SMTP_FROM: 'MAIL_FROM',
  MAILER_FROM: 'MAIL_FROM',
  SMTP_PORT: 'SMTP_URL',
  SMTP_USER: 'SMTP_URL',
  SMTP_PASSWORD: 'SMTP_URL',
  IMAP_HOST: 'EINGANG_IMAP_URL',
  DATADIR: 'DATA_DIR',
}

/** Variables of systems and other programs that look like ours. */
const FOREIGN = new Set([
  'HOME',
  'HOSTNAME',
  'HOSTTYPE',
  'SORT',
  'MAX_JOBS',
  'NODE_PATH',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
])

/** Prefixes that only we use: the rest is one of the settings or a mistake. */
const OURS = /^(?:OIDC|BACKUP|IDP|SUPPORT|FILES|ABO|STAMP|EINGANG)_/

/** Shorter names differ by too little to tell a typo from another name: `HOME` and `HOST`. */
const [LONG, LONG_ENOUGH_TO_STAND_IN_ANOTHER] = [8, 8]

/** Returns one sentence per name. */
export function misspelt(names: readonly string[], known: readonly string[]): string[] {
  const set = new Set(names)
  const faults: string[] = []
  for (const name of names) {
    if (known.includes(name) || FOREIGN.has(name)) continue
    const other = OTHER_WORDS[name] ?? known.find((one) => lacksOurWord(name, one))
    if (other !== undefined && set.has(other)) continue
    const meant = other ?? meantBy(name, known)
    if (meant !== undefined) faults.push(`${name} ist keine bekannte Einstellung. Gemeint ist wohl ${meant}`)
    else if (OURS.test(name)) faults.push(`${name} ist keine bekannte Einstellung`)
  }
  return faults
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const plain = name.trim().toUpperCase().replaceAll(/[-. ]/g, '_').replace(/IES$/, 'Y')
  // npm passes on its own settings and those of package.json; short names in lower case are
  // used by other programs too.
  if (/^npm_/i.test(name) || (plain !== name && plain.length < LONG)) return undefined
  const nearest = known
    .map((one) => ({ one, steps: distance(plain, one) }))
    .filter(({ one, steps }) => steps <= (one.length < LONG ? 1 : 2))
    .sort((a, b) => a.steps - b.steps)[0]
  return nearest?.one ?? known.find((one) => standsIn(plain, one) || differsInUnit(plain, one))
}

/** What our names end with, and what others put there. */
const OUR_UNIT = /_(?:S|MB|PER_MIN|DAYS)$/
const ANY_UNIT = /_(?:M?S|SECS?|SECONDS|MIN|MINUTES|H|HOURS|DAYS|[KMG]I?B|BYTES|TIMEOUT|LIMIT|PER_MIN)$/
const SHORTEST_STEM = 5

/** Without its unit, or with another one: `DRAIN`, `GRACE_SECONDS`. */
function differsInUnit(name: string, known: string): boolean {
  const stem = known.replace(OUR_UNIT, '')
  return stem !== known && stem.length >= SHORTEST_STEM && [name, name.replace(ANY_UNIT, '')].includes(stem)
}

/** `S3_ENDPOINT`, `IMAP_URL`: what they are for comes before them in ours. */
const lacksOurWord = (name: string, known: string): boolean =>
  /^(?:S3|IMAP)_/.test(name) && known.endsWith(`_${name}`)

/** One of our names with a word before or after it: `FORST_DATABASE_URL`, `DATABASE_URL_FILE`. */
const standsIn = (name: string, known: string): boolean =>
  known.length >= LONG_ENOUGH_TO_STAND_IN_ANOTHER &&
  known.includes('_') &&
  known !== 'NODE_ENV' &&
  (name.endsWith(`_${known}`) || name.startsWith(`${known}_`))

/**
 * Edit distance: letters left out, added or changed, or two neighbours swapped. 3 stands for anything above 2
 * when the lengths differ too much.
 */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, before[j - 2]! + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[other.length]!
}
