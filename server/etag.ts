// Whether a caller has what would be sent: If-None-Match may name several versions, and a proxy that compresses marks
// ours as weak (RFC 9110, 13.1.2).

const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g
const LONGEST = 4_000

export function isKept(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.length > LONGEST) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...header.matchAll(TAG)].some(([, tag]) => `"${tag}"` === opaque)
}
