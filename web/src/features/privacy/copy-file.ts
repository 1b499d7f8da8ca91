// The data held on somebody as one file: the same content for machines (JSON) and for people (HTML).
import type { PrivacyDisclosure } from '#contract/privacy.ts'
import { formatDateTime } from '../../ui/format.ts'
import { fileName, saveFile } from '../../ui/export/save-file.ts'
import { zip } from '../../ui/export/zip.ts'
import { t } from '../../ui/text.ts'
import { tableText } from './privacy-words.ts'

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? t('ja') : t('nein')
  if (typeof value === 'string') return ISO_TIME.test(value) ? formatDateTime(value) : value
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

type Rows = PrivacyDisclosure['tabellen'][number]['zeilen']

function tableHtml(table: string, rows: Rows): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (tag: 'th' | 'td', cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const body = rows.map((row) =>
    line(
      'td',
      columns.map((column) => valueText(row[column])),
    ),
  )
  return (
    `<h2>${escapeHtml(tableText(table))}</h2>\n<p class="n">${escapeHtml(table)}</p>\n` +
    `<div><table>${line('th', columns)}\n${body.join('\n')}</table></div>`
  )
}

export function copyHtml({ erstellt, name, tabellen }: PrivacyDisclosure): string {
  const filled = tabellen.filter(({ zeilen }) => zeilen.length > 0)
  const empty = tabellen.filter(({ zeilen }) => zeilen.length === 0).map(({ tabelle }) => tableText(tabelle))
  const title = t('Gespeicherte Daten: {name}', { name })
  return `<!doctype html>
<html lang="de"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem;max-width:80rem}
div{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th,td{border:1px solid #bbb;padding:4px 8px;text-align:left;vertical-align:top;overflow-wrap:anywhere;max-width:32rem}
th{background:#eee}.n{color:#555;margin-top:-0.8rem;font-size:13px}</style></head>
<body><h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(
    t(
      'Stand: {when}. Passwörter und andere Geheimnisse sind nicht enthalten; sie sind nur ' +
        'verschlüsselt gespeichert.',
      { when: formatDateTime(erstellt) },
    ),
  )}</p>
${filled.map(({ tabelle, zeilen }) => tableHtml(tabelle, zeilen)).join('\n')}
<h2>${escapeHtml(t('Ohne Einträge'))}</h2>
<p>${escapeHtml(empty.join(', ') || '–')}</p>
</body></html>
`
}

export const copyZip = (copy: PrivacyDisclosure): Promise<Blob> =>
  zip([
    { name: 'daten.json', texts: [JSON.stringify(copy, null, 2)] },
    { name: 'lesbar.html', texts: [copyHtml(copy)] },
  ])

/** The file name has no personal name, because it ends up in folders that others can see. */
export async function saveCopy(copy: PrivacyDisclosure, now = new Date()): Promise<void> {
  const kind = copy.art === 'person' ? `Auskunft_Person_${copy.nummer}` : `Auskunft_Kunde_${copy.nummer}`
  saveFile(await copyZip(copy), fileName(kind, now, 'zip'))
}
