// Sends phones and tablets to the landing page first. They are detected by what the device reports and by its
// pointer, never by window width: a narrow window on a desktop computer is still one.

export interface Device {
  readonly userAgent: string
  /** Reported directly by newer browsers. */
  readonly mobile?: boolean | undefined
  readonly maxTouchPoints: number
  /** The main pointer is a finger, and there is no finer one. */
  readonly coarseOnly: boolean
}

export function isPhoneOrTablet({ userAgent, mobile, maxTouchPoints, coarseOnly }: Device): boolean {
  if (mobile === true) return true
  // Windows tablets run desktop applications, and Chromebooks are laptops.
  if (/Windows NT|CrOS/.test(userAgent)) return false
  if (/Android|iPhone|iPad|iPod|Windows Phone|BlackBerry|BB10|Opera Mini|Silk|Kindle|Mobile/i.test(userAgent))
    return true
  // iPads identify as Macs, which have no multi-touch screens.
  if (userAgent.includes('Macintosh') && maxTouchPoints > 1) return true
  // Android devices in desktop mode identify as Linux.
  return /X11|Linux/.test(userAgent) && coarseOnly && maxTouchPoints > 0
}

/** Belongs to the device and not to a person: it is kept after signing out. */
const STAY = 'geraet.im-browser'
export const LANDING = '/landing'
/** Target of one-time links: most are opened on a phone. */
export const ACCEPTANCE = '/annahme'
/** Made for phones and tablets: never redirected to the landing page. */
export const FIELDWORK = '/feld'
export const isFieldwork = (path: string): boolean => path === FIELDWORK || path.startsWith(`${FIELDWORK}/`)

/** Addresses that must not be redirected. */
const PASSING = [LANDING, ACCEPTANCE, '/auth-redirect', '/login', '/redirect']

export const isPassing = (path: string): boolean =>
  PASSING.some((own) => path === own || path.startsWith(`${own}/`))

export const wantsBrowser = (): boolean => {
  try {
    return localStorage.getItem(STAY) !== null
  } catch {
    return false
  }
}
export function stayInBrowser() {
  try {
    localStorage.setItem(STAY, '1')
  } catch {
    // The landing page is shown again next time.
  }
}

function thisDevice(): Device {
  const { userAgent, maxTouchPoints } = navigator
  const { mobile } = (navigator as { userAgentData?: { mobile?: boolean } }).userAgentData ?? {}
  return {
    userAgent,
    maxTouchPoints,
    mobile,
    coarseOnly: matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches,
  }
}

/**
 * Where to redirect a phone that opens this address; undefined: nowhere. A person who follows a link to a
 * page, such as one in a mail, has decided where to go.
 */
export function landingInstead({ pathname, search, hash }: Location): string | undefined {
  if (pathname !== '/' || wantsBrowser() || !isPhoneOrTablet(thisDevice())) return undefined
  return `${LANDING}?weiter=${encodeURIComponent(pathname + search + hash)}`
}
