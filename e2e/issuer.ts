// An OpenID issuer for tests of the server alone: it publishes its keys, and tokens are signed here.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface Issuer {
  readonly server: Server
  readonly issuer: string
  readonly key: CryptoKey
}

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    response.end(
      JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/jwks` }),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { server, issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: privateKey }
}

/** Settings of a server that trusts this issuer. */
export const settingsFor = ({ issuer }: Issuer) => ({
  AUTH_MODE: 'oidc',
  OIDC_ISSUER: issuer,
  OIDC_JWKS_URI: `${issuer}/jwks`,
})

/** A token as a provider would issue it; the subject is the address. */
export const tokenFor = ({ issuer, key }: Issuer, email: string, group: string) =>
  new SignJWT({ email, email_verified: true, groups: [group], typ: 'Bearer' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setIssuer(issuer)
    .setAudience('ogf-api')
    .setSubject(email)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key)
