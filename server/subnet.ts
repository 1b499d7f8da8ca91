// Whom a network address stands for, where requests are counted.

/** A household or office with IPv6 owns a whole /64; counting single addresses there would count nothing. */
export function subnetOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
