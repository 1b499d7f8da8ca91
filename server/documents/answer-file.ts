// How a document is answered: the file itself, or why there is none.
import type { FastifyReply } from 'fastify'
import { Refusal } from '#server/errors.ts'
import type { FileKind } from './store.ts'
import type { DocumentFault, DocumentFaultCode } from './renderer.ts'

const TYPE: Readonly<Record<FileKind, string>> = {
  pdf: 'application/pdf',
  xml: 'application/xml; charset=utf-8',
}

/** RFC 6266: a plain ASCII name for old clients, the full one beside it. */
export const disposition = (name: string, kind: 'inline' | 'attachment'): string =>
  `${kind}; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

export const refusalOf = (fault: DocumentFault): Refusal => REFUSALS[fault.code]()
const REFUSALS: Readonly<Record<DocumentFaultCode, () => Refusal>> = {
  logo: () =>
    new Refusal(
      'conflict',
      'Das Logo in den Einstellungen lässt sich nicht lesen. ' +
        'Bitte laden Sie dort ein anderes hoch (PNG, JPEG oder SVG).',
    ),
  satz: () =>
    new Refusal(
      'internal',
      'Das Dokument konnte nicht erstellt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  absturz: () =>
    new Refusal(
      'internal',
      'Das Dokument konnte nicht erstellt werden. Der Fehler ist im Protokoll des Servers vermerkt.',
    ),
  zeit: () =>
    new Refusal(
      'timeout',
      'Das Dokument wurde nicht rechtzeitig fertig. Bitte versuchen Sie es noch einmal.',
    ),
  voll: () =>
    new Refusal(
      'unavailable',
      'Zurzeit werden viele Dokumente erzeugt. Bitte versuchen Sie es gleich noch einmal.',
    ),
  beendet: () =>
    new Refusal('unavailable', 'Der Server wird gerade beendet. Bitte versuchen Sie es gleich noch einmal.'),
}

/** A file that nothing between here and the client may cache. */
export function answerFile(
  reply: FastifyReply,
  fileRow: FileKind,
  file: { name: string; inhalt: Uint8Array; sha256: string },
): FastifyReply {
  return reply
    .headers({
      'content-type': TYPE[fileRow],
      'content-disposition': disposition(file.name, fileRow === 'pdf' ? 'inline' : 'attachment'),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': file.inhalt.length,
      'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
    })
    .send(Buffer.from(file.inhalt.buffer, file.inhalt.byteOffset, file.inhalt.byteLength))
}
