// What is in the margins of printed pages: title, address, day and page number. Browsers print their own only
// if the person asks for it.
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

const textIn = (text: string): string => JSON.stringify(text).replaceAll('<', '\\3c ')

export function printMarks(title: string, path: string, now: Date): string {
  const box = (corner: string, content: string) =>
    `@${corner} { content: ${content}; font: 8pt system-ui, sans-serif; color: #555; }`
  const page = t('Seite {seite} von {seiten}', { seite: '\u0001', seiten: '\u0002' })
  // CSS counts the pages itself.
  const counted = textIn(page)
    .replace('\\u0001', '" counter(page) "')
    .replace('\\u0002', '" counter(pages) "')
  return `@page { ${[
    box('top-left', textIn(title)),
    box('top-right', textIn(formatDateTime(now.toISOString()))),
    box('bottom-left', textIn(path)),
    box('bottom-right', counted),
  ].join(' ')} }`
}

/** Sets them before each printing. */
export function markPrintedPages(): () => void {
  // A sheet of the script's own: the policy of the page forbids styles within the document.
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  const mark = () =>
    sheet.replaceSync(printMarks(document.title, decodeURI(location.pathname + location.search), new Date()))
  window.addEventListener('beforeprint', mark)
  return () => {
    window.removeEventListener('beforeprint', mark)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
