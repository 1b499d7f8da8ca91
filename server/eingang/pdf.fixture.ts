// PDFs with attachments, written by hand in the ways in which programs do it.
import { deflateSync } from 'node:zlib'

export interface PdfParts {
  readonly attachments: readonly (readonly [name: string, content: Buffer | string])[]
  /** Attachments as they are; otherwise by zlib. */
  readonly plain?: boolean
  /** Everything but streams in one packed stream (PDF 1.5). */
  readonly packed?: boolean
  /** Length of the streams in its own object. */
  readonly indirectLength?: boolean
  readonly encrypted?: boolean
  readonly script?: boolean
  /** The name in UTF-16. */
  readonly wideNames?: boolean
  readonly filter?: string
}

const bytes = (text: string | Buffer): Buffer =>
  typeof text === 'string' ? Buffer.from(text, 'latin1') : text
const nameOf = (name: string, wide: boolean): string =>
  wide
    ? `<FEFF${Buffer.from(name, 'utf16le').swap16().toString('hex')}>`
    : `(${name.replaceAll(/[()\\]/g, String.raw`\$&`)})`

export function makePdf(parts: PdfParts): Buffer {
  const { attachments, plain = false, packed = false, wideNames = false, filter } = parts
  const simple: [id: number, text: string][] = []
  const streams: [id: number, head: string, content: Buffer][] = []
  let next = 10
  const files = attachments.map(([name, content]) => {
    const [file, spec] = [next, next + 1]
    next += 3
    const body = plain ? bytes(content) : deflateSync(bytes(content))
    const length = parts.indirectLength ? `${next - 1} 0 R` : String(body.length)
    const packing = plain ? '' : `/Filter ${filter ?? '/FlateDecode'}`
    if (parts.indirectLength) simple.push([next - 1, String(body.length)])
    streams.push([file, `<< /Type /EmbeddedFile /Subtype /text#2Fxml ${packing} /Length ${length} >>`, body])
    const named = nameOf(name, wideNames)
    simple.push([
      spec,
      `<< /Type /Filespec /F ${named} /UF ${named} /AFRelationship /Data /EF << /F ${file} 0 R >> >>`,
    ])
    return `${named} ${spec} 0 R`
  })
  simple.push(
    [
      1,
      `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${files.join(' ')}] >> >>${
        parts.script ? ' /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' : ''
      } >>`,
    ],
    [2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'],
  )
  if (packed) {
    let at = 0
    const heads = simple.map(([id, text]) => {
      const head = `${id} ${at}`
      at += text.length + 1
      return head
    })
    const first = `${heads.join(' ')} `
    const body = deflateSync(bytes(first + simple.map(([, text]) => text).join(' ')))
    streams.push([
      next,
      `<< /Type /ObjStm /N ${simple.length} /First ${first.length} /Filter /FlateDecode /Length ${body.length} >>`,
      body,
    ])
    simple.length = 0
  }
  const out: Buffer[] = [bytes('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n')]
  for (const [id, text] of simple) out.push(bytes(`${id} 0 obj\n${text}\nendobj\n`))
  for (const [id, head, content] of streams)
    out.push(bytes(`${id} 0 obj\n${head}\nstream\n`), content, bytes('\nendstream\nendobj\n'))
  const encryption = parts.encrypted ? ' /Encrypt << /Filter /Standard /V 2 /R 3 >>' : ''
  out.push(bytes(`trailer\n<< /Root 1 0 R /Size ${next + 1}${encryption} >>\nstartxref\n0\n%%EOF\n`))
  return Buffer.concat(out)
}
