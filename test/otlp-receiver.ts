// A receiver of traces: OTLP as protobuf over HTTP, decoded by the numbers of opentelemetry-proto.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { PbfReader as Pbf } from 'pbf'

export interface ReceivedSpan {
  readonly trace: string
  readonly id: string
  /** Empty: it is a root. */
  readonly parent: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly resource: Readonly<Record<string, string | number | boolean>>
  readonly failed: boolean
  readonly message: string
}

type Value = string | number | boolean
type Attributes = Record<string, Value>
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function readValue(pbf: Pbf): Value {
  return pbf.readFields<{ value: Value }>(
    (tag, found) => {
      if (tag === 1) found.value = pbf.readString()
      else if (tag === 2) found.value = pbf.readBoolean()
      else if (tag === 3) found.value = pbf.readVarint(true)
      else if (tag === 4) found.value = pbf.readDouble()
    },
    { value: '' },
    pbf.readVarint() + pbf.pos,
  ).value
}

function readAttribute(pbf: Pbf, into: Attributes): void {
  const pair = pbf.readFields<{ key: string; value: Value }>(
    (tag, found) => {
      if (tag === 1) found.key = pbf.readString()
      else if (tag === 2) found.value = readValue(pbf)
    },
    { key: '', value: '' },
    pbf.readVarint() + pbf.pos,
  )
  into[pair.key] = pair.value
}

function readSpan(pbf: Pbf, resource: Attributes): ReceivedSpan {
  const span = {
    trace: '',
    id: '',
    parent: '',
    name: '',
    kind: 0,
    attributes: {},
    resource,
    failed: false,
    message: '',
  }
  const status = (tag: number): void => {
    if (tag === 2) span.message = pbf.readString()
    else if (tag === 3) span.failed = pbf.readVarint() === 2
  }
  return pbf.readFields(
    (tag) => {
      if (tag === 1) span.trace = hex(pbf.readBytes())
      else if (tag === 2) span.id = hex(pbf.readBytes())
      else if (tag === 4) span.parent = hex(pbf.readBytes())
      else if (tag === 5) span.name = pbf.readString()
      else if (tag === 6) span.kind = pbf.readVarint()
      else if (tag === 9) readAttribute(pbf, span.attributes)
      else if (tag === 15) pbf.readFields(status, undefined, pbf.readVarint() + pbf.pos)
    },
    span,
    pbf.readVarint() + pbf.pos,
  )
}

export function decodeTraces(body: Uint8Array): ReceivedSpan[] {
  const pbf = new Pbf(body)
  const spans: ReceivedSpan[] = []
  const resourceSpans = (): void => {
    const resource: Attributes = {}
    const within = (read: (tag: number) => void): void =>
      pbf.readFields(read, undefined, pbf.readVarint() + pbf.pos)
    within((tag) => {
      if (tag === 1) within((inner) => void (inner === 1 && readAttribute(pbf, resource)))
      else if (tag === 2) within((inner) => void (inner === 2 && spans.push(readSpan(pbf, resource))))
    })
  }
  pbf.readFields((tag) => void (tag === 1 && resourceSpans()), undefined)
  return spans
}

export interface Receiver {
  readonly endpoint: string
  readonly spans: ReceivedSpan[]
  readonly headers: NodeJS.Dict<string | string[]>[]
  /** Everything that arrived, for what must not be in it. */
  text(): string
  close(): void
}

export async function receiveTraces(): Promise<Receiver> {
  const [spans, headers, bodies]: [ReceivedSpan[], Receiver['headers'], Buffer[]] = [[], [], []]
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const sent = Buffer.concat(parts)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      const isRight =
        request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf'
      if (isRight) spans.push(...decodeTraces(body))
      bodies.push(body)
      headers.push(request.headers)
      response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/x-protobuf' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    text: () => Buffer.concat(bodies).toString('latin1'),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
