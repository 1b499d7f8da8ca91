// Whether the application is already on the home screen, and how to install it on this device.
import { hasInstallOffer, wasInstalled } from '../../data/install-offer.ts'

export type Installation = 'angeboten' | 'installiert' | 'ios' | 'nein'
export function installation(): Installation {
  const own =
    matchMedia('(display-mode: standalone)').matches ||
    (navigator as { standalone?: boolean }).standalone === true
  if (own || wasInstalled()) return 'installiert'
  if (hasInstallOffer()) return 'angeboten'
  // iPads identify as Macs.
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
    ? 'ios'
    : 'nein'
}
