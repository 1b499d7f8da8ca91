// Where a Chromium lies on this machine.
import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

export const findChromium = (): string | undefined => PLACES.find((place) => existsSync(place))
