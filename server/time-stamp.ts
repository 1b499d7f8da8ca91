// Time stamps of heads of the books (RFC 3161): a service signs that it saw a head at a moment. Loaded only
// where a service is configured or its answers are checked.
import { randomBytes } from 'node:crypto'
import { Integer, OctetString } from 'asn1js'
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  type ExtKeyUsage,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  id_ExtKeyUsage,
  MessageImprint,
  PKIStatus,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import { UnknownSignerError } from './anchor-check.ts'
import type { Head } from './anchors.ts'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const FOR_TIME_STAMPS = '1.3.6.1.5.5.7.3.8'
const MOST_BYTES = 64 * 2 ** 10
const TIMEOUT_MS = 20_000

/** What is stamped: `openssl ts -verify -data` takes the same bytes. */
const stampedText = ({ nr, kopf }: Head): string => `forstkontor-anker|${nr}|${kopf}`

/** Its own ArrayBuffer: pkijs reads whole buffers, and Node's small ones share one. */
const bytesOf = (data: string | Uint8Array): ArrayBuffer => Uint8Array.from(Buffer.from(data)).buffer

/** Certificates of a PEM text. */
export const certificatesOf = (text: string): Certificate[] =>
  [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(([, body = '']) =>
    Certificate.fromBER(bytesOf(Buffer.from(body, 'base64'))),
  )

/**
 * Asks a service to stamp a head and checks its answer.
 * @returns TimeStampToken, DER as base64
 * @throws Error when it does not answer, refuses, or answers for something else
 */
export async function requestTimeStamp(
  url: string,
  head: Head,
  trusted: readonly Certificate[],
): Promise<string> {
  const nonce = new Uint8Array(randomBytes(8))
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
  const digest = await crypto.subtle.digest('SHA-256', bytesOf(stampedText(head)))
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256 }),
      hashedMessage: new OctetString({ valueHex: digest }),
    }),
    nonce: new Integer({ valueHex: nonce.buffer }),
    certReq: true,
  })
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: request.toSchema().toBER(),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`the time stamp service answers ${answer.status}`)
  const response = TimeStampResp.fromBER(await limitedBody(answer))
  const { status } = response.status
  if ((status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) || !response.timeStampToken)
    throw new Error(`the time stamp service refuses: status ${status}`)
  const token = Buffer.from(response.timeStampToken.toSchema().toBER()).toString('base64')
  const info = await openToken(token, head, trusted)
  if (!info.nonce?.isEqual(new Integer({ valueHex: nonce.buffer })))
    throw new Error('the time stamp answers another request')
  return token
}

async function limitedBody(answer: Response): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > MOST_BYTES) throw new Error('the answer of the time stamp service is too large')
    parts.push(part)
  }
  return bytesOf(Buffer.concat(parts))
}

/**
 * When the service saw the head.
 * @param trusted without any, the signature is checked with the certificate that the token brings
 * @throws UnknownSignerError if it is sound, but none of them covers its signer
 * @throws Error if the token is not signed, or stamps something else
 */
export async function timeOfStamp(token: string, head: Head, trusted: readonly Certificate[]): Promise<Date> {
  return (await openToken(token, head, trusted)).genTime
}

async function openToken(token: string, head: Head, trusted: readonly Certificate[]): Promise<TSTInfo> {
  const content = ContentInfo.fromBER(bytesOf(Buffer.from(token, 'base64')))
  if (content.contentType !== id_ContentType_SignedData) throw new Error('no time stamp')
  const signed = new SignedData({ schema: content.content as unknown })
  const { eContentType, eContent } = signed.encapContentInfo
  if (eContentType !== id_eContentType_TSTInfo || eContent === undefined) throw new Error('no time stamp')
  const info = TSTInfo.fromBER(eContent.getValue())
  if (info.messageImprint.hashAlgorithm.algorithmId !== SHA_256) throw new Error('another digest')
  const data = bytesOf(stampedText(head))
  const isSound = await signed.verify({ signer: 0, data, checkChain: false, extendedMode: true })
  const { extensions = [] } = isSound.signerCertificate ?? {}
  const usage = extensions.find((extension) => extension.extnID === id_ExtKeyUsage)
  const purposes = (usage?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes ?? []
  if (isSound.signatureVerified !== true || !purposes.includes(FOR_TIME_STAMPS))
    throw new Error('the time stamp is not signed by a service for time stamps')
  if (trusted.length > 0 && !(await isBy(trusted, signed, data)))
    throw new UnknownSignerError('the time stamp is by none of the trusted certificates')
  return info
}

/** As of the moment in the stamp: its certificate may have run out since. */
async function isBy(
  trusted: readonly Certificate[],
  signed: SignedData,
  data: ArrayBuffer,
): Promise<boolean> {
  try {
    return await signed.verify({ signer: 0, data, checkChain: true, trustedCerts: [...trusted] })
  } catch {
    return false
  }
}
