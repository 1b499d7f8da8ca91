// What an IP address counts as when requests are limited per client.

/** A household or office with IPv6 has a whole /64; limiting single addresses there would be useless. */
export function subnetOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
