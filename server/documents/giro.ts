// The GiroCode as a drawing: a single path, which stays sharp and small. The domain decides what it contains.
import QRCode from 'qrcode'

/** Width of the light border that the standard requires, in modules. */
const QUIET = 4

export function qrSvg(text: string): string {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const runs: string[] = []
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (!modules.get(y, x)) continue
      const from = x
      while (x + 1 < modules.size && modules.get(y, x + 1)) x++
      runs.push(`M${from + QUIET} ${y + QUIET}h${x - from + 1}v1h-${x - from + 1}z`)
    }
  }
  const size = modules.size + 2 * QUIET
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">` +
    `<path fill="#000" d="${runs.join('')}"/></svg>`
  )
}
