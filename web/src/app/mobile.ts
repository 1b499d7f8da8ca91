// Phones and tablets are led to the landing page first. Known by what the device says of itself and how it is pointed at, never by the width of the window: a narrow
// window on a desk is a desk.

export interface Device {
  readonly userAgent: string
  /** What newer browsers say outright. */
  readonly mobile?: boolean | undefined
  readonly maxTouchPoints: number
  /** The main way of pointing is a finger, and there is no finer one. */
  readonly coarseOnly: boolean
}

export function isPhoneOrTablet({ userAgent, mobile, maxTouchPoints, coarseOnly }: Device): boolean {
  if (mobile === true) return true
  // A Windows tablet runs desktop applications, and a Chromebook is a laptop.
  if (/Windows NT|CrOS/.test(userAgent)) return false
  if (/Android|iPhone|iPad|iPod|Windows Phone|BlackBerry|BB10|Opera Mini|Silk|Kindle|Mobile/i.test(userAgent))
    return true
  // An iPad calls itself a Mac; no Mac is touched with several fingers.
  if (userAgent.includes('Macintosh') && maxTouchPoints > 1) return true
  // An Android device that asks for the desktop's page calls itself Linux.
  return /X11|Linux/.test(userAgent) && coarseOnly && maxTouchPoints > 0
}

/** Of the machine and not of a person: it stays after signing out. */
const STAY = 'geraet.im-browser'
export const LANDING = '/landing'
/** Where a one-time link leads: most are opened on a phone. */
export const ACCEPTANCE = '/annahme'
/** Made for phones and tablets: nobody who wants it is led elsewhere. */
export const FIELDWORK = '/feld'
export const isFieldwork = (path: string): boolean => path === FIELDWORK || path.startsWith(`${FIELDWORK}/`)

/** Addresses that have a purpose of their own on the way in. */
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
    // Asked again next time.
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

/** Where a phone that opens this address is led, or undefined: it stays. */
export function landingInstead({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | undefined {
  if (isPassing(pathname) || isFieldwork(pathname) || wantsBrowser() || !isPhoneOrTablet(thisDevice()))
    return undefined
  return `${LANDING}?weiter=${encodeURIComponent(pathname + search + hash)}`
}
