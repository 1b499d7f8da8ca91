// A time stamp service of our own for tests: RFC 3161 over HTTP, with its certificate authority.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BitString, Integer, OctetString, PrintableString, Sequence, ObjectIdentifier } from 'asn1js'
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  IssuerAndSerialNumber,
  PKIStatusInfo,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
  Attribute,
  SignedAndUnsignedAttributes,
} from 'pkijs'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
type Keys = Awaited<ReturnType<typeof makeKeys>>

const DAY_MS = 86_400_000
let serial = 1

async function makeCertificate(
  name: string,
  keys: Keys,
  issuer: { name: string; keys: Keys },
  forStamps: boolean,
) {
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ value: ++serial })
  for (const [holder, text] of [
    [certificate.subject, name],
    [certificate.issuer, issuer.name],
  ] as const)
    holder.typesAndValues.push(
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: text }) }),
    )
  certificate.notBefore.value = new Date(Date.now() - DAY_MS)
  certificate.notAfter.value = new Date(Date.now() + 365 * DAY_MS)
  const usage = new Sequence({ value: [new ObjectIdentifier({ value: '1.3.6.1.5.5.7.3.8' })] })
  certificate.extensions = [
    forStamps
      ? new Extension({ extnID: '2.5.29.37', critical: true, extnValue: usage.toBER() })
      : new Extension({
          extnID: '2.5.29.19',
          critical: true,
          extnValue: new BasicConstraints({ cA: true }).toSchema().toBER(),
        }),
    new Extension({
      extnID: '2.5.29.15',
      critical: true,
      extnValue: new BitString({
        valueHex: Uint8Array.of(forStamps ? 0x80 : 0x06).buffer,
        unusedBits: forStamps ? 7 : 1,
      }).toBER(),
    }),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
  await certificate.sign(issuer.keys.privateKey, 'SHA-256')
  return certificate
}

/** How an answer is wrong. */
export type StampFault = 'other head' | 'refused' | 'other nonce' | 'no purpose' | 'too large' | 'http 500'

export interface StampServer {
  readonly url: string
  /** Its authority as PEM. */
  readonly certificates: string
  fault: StampFault | null
  readonly asked: () => number
  close(): Promise<void>
}

export async function startStampServer(): Promise<StampServer> {
  const [authority, keys] = [await makeKeys(), await makeKeys()]
  const issuer = { name: 'Test Authority', keys: authority }
  const root = await makeCertificate('Test Authority', authority, issuer, false)
  const certificate = await makeCertificate('Test Stamps', keys, issuer, true)
  const unfit = await makeCertificate('Test Other', keys, issuer, false)
  let count = 0
  const state: { fault: StampFault | null } = { fault: null }
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      count++
      void answer(Buffer.concat(parts), state.fault, state.fault === 'no purpose' ? unfit : certificate, keys)
        .then((bytes) => {
          response.writeHead(state.fault === 'http 500' ? 500 : 200, {
            'content-type': 'application/timestamp-reply',
          })
          response.end(state.fault === 'too large' ? Buffer.alloc(100_000) : bytes)
        })
        .catch((error: unknown) => response.destroy(error as Error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const encoded = Buffer.from(root.toSchema().toBER()).toString('base64')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`,
    certificates: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    get fault() {
      return state.fault
    },
    set fault(value) {
      state.fault = value
    },
    asked: () => count,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

async function answer(
  bytes: Buffer,
  fault: StampFault | null,
  certificate: Certificate,
  keys: Keys,
): Promise<Buffer> {
  const request = TimeStampReq.fromBER(Uint8Array.from(bytes).buffer)
  if (fault === 'refused')
    return Buffer.from(new TimeStampResp({ status: new PKIStatusInfo({ status: 2 }) }).toSchema().toBER())
  const { messageImprint } = request
  if (fault === 'other head')
    messageImprint.hashedMessage = new OctetString({ valueHex: new Uint8Array(32).buffer })
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4.1',
    messageImprint,
    serialNumber: new Integer({ value: ++serial }),
    genTime: new Date(),
    ...(request.nonce && { nonce: fault === 'other nonce' ? new Integer({ value: 7 }) : request.nonce }),
  })
  const content = info.toSchema().toBER()
  const digest = await crypto.subtle.digest('SHA-256', content)
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: '1.2.840.113549.1.9.16.1.4',
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: certificate.issuer,
          serialNumber: certificate.serialNumber,
        }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            new Attribute({
              type: '1.2.840.113549.1.9.3',
              values: [new ObjectIdentifier({ value: '1.2.840.113549.1.9.16.1.4' })],
            }),
            new Attribute({ type: '1.2.840.113549.1.9.4', values: [new OctetString({ valueHex: digest })] }),
          ],
        }),
      }),
    ],
    certificates: [certificate],
  })
  await signed.sign(keys.privateKey, 0, 'SHA-256', content)
  const token = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) })
  return Buffer.from(
    new TimeStampResp({ status: new PKIStatusInfo({ status: 0 }), timeStampToken: token }).toSchema().toBER(),
  )
}
