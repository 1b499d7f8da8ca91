// The HTML of a mail. Mail programs know little: Outlook lays out with tables and reads colours from
// attributes, many drop style sheets, none may be asked to load anything. So the light colours stand on every
// element, and the style sheet adds only dark colours and narrow screens.
import { Html, html } from '#server/html.ts'
import type { Block, Button, CleanLetter, Language } from './letter.ts'

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
const TEXT = `${FONT}font-size:16px;line-height:1.5;color:#1c2419;`
const SMALL = `${FONT}font-size:13px;line-height:1.5;color:#55614f;`
const LINK = 'color:#1b6100;text-decoration:underline;'
const LONG_WORDS = 'overflow-wrap:anywhere;word-break:break-word;'

/** Outlook.com marks what it darkened by itself with data-ogsc. */
const DARK: readonly (readonly [selector: string, rule: string])[] = [
  ['.page', 'background-color:#10150e!important'],
  ['.sheet', 'background-color:#1a2117!important'],
  ['.text', 'color:#edf2ea!important'],
  ['.soft', 'color:#b3bfad!important'],
  ['.link', 'color:#93dc86!important'],
  ['.button', 'background-color:#6fc760!important'],
  ['.press', 'color:#0d1f06!important'],
]
const rules = (before: string) => DARK.map(([selector, rule]) => `${before}${selector}{${rule}}`).join('')
const STYLE = new Html(
  `:root{color-scheme:light dark;supported-color-schemes:light dark}body{margin:0}` +
    '@media(max-width:480px){.side{padding-left:20px!important;padding-right:20px!important}' +
    '.outer{padding:0!important}}' +
    `@media(prefers-color-scheme:dark){${rules('')}}${rules('[data-ogsc] ')}`,
)

const TABLE = new Html('role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"')

export function htmlOf(letter: CleanLetter): string {
  const { language, subject, heading, blocks, sender } = letter
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${subject}</title>
<style>${STYLE}</style>
</head>
<body class="page" bgcolor="#f4f7f2" style="margin:0;background-color:#f4f7f2;">
<table ${TABLE} class="page" bgcolor="#f4f7f2" style="background-color:#f4f7f2;"><tr>
<td class="outer" align="center" style="padding:24px 12px;">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td>
<![endif]-->
<table ${TABLE} style="max-width:600px;table-layout:fixed;">
<tr><td class="side" bgcolor="#154D00" style="${BAR}">${sender}</td></tr>
<tr><td class="sheet side" bgcolor="#ffffff" style="background-color:#ffffff;padding:28px 32px 12px;">
<h1 class="text" style="${HEADING}">${heading}</h1>
${blocks.map((block) => blockHtml(block, language))}
</td></tr>
<tr><td class="side" style="padding:20px 32px;">${smallPrint(letter)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`.text
}

const PARAGRAPH = `${TEXT}margin:0 0 16px;${LONG_WORDS}`
const BAR =
  `${FONT}font-size:20px;line-height:1.3;font-weight:600;color:#ffffff;background-color:#154D00;` +
  `padding:18px 32px;border-bottom:4px solid #6fc760;${LONG_WORDS}`
const HEADING = `${FONT}font-size:22px;line-height:1.3;font-weight:600;color:#1c2419;margin:0 0 18px;${LONG_WORDS}`

function smallPrint({ reason, foot }: CleanLetter): Html {
  const small = (content: Html) =>
    html`<p class="soft" style="${SMALL}margin:0 0 12px;${LONG_WORDS}">${content}</p>\n`
  return html`${reason === undefined ? null : small(html`${reason.text}<br>${spelledOut(reason.link)}`)}${foot.map(
    (part) => small(lines(part.map((line) => html`${line}`))),
  )}`
}

const lines = (content: readonly Html[]): Html =>
  html`${content.map((line, nr) => (nr === 0 ? line : html`<br>\n${line}`))}`

const spelledOut = (link: string): Html =>
  html`<a class="link" href="${link}" style="${LINK}word-break:break-all;">${link}</a>`

function blockHtml(block: Block, language: Language): Html {
  switch (block.kind) {
    case 'text':
      return html`${block.text
        .split(/\n{2,}/)
        .map(
          (part) =>
            html`<p class="text" style="${PARAGRAPH}">${lines(part.split('\n').map(wordsOf(block)))}</p>\n`,
        )}`
    case 'button':
      return buttonHtml(block, language)
    case 'items':
      return html`${block.items.map(
        ({ text, link }) =>
          html`<p class="text" style="${PARAGRAPH}"><a class="link" href="${link}" style="${LINK}">${text}</a></p>\n`,
      )}`
  }
}

/** Names in other texts were typed by anybody: an address in one must not become a link under our letterhead. */
const wordsOf = ({ wrote }: { readonly wrote?: 'office' }) =>
  wrote === 'office' ? linked : (line: string): Html => html`${line}`

/** Punctuation after an address belongs to the sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"„“]+[^\s<>"„“.,;:!?)\]'’])/

const linked = (line: string): Html =>
  html`${line.split(ADDRESS).map((part, nr) => (nr % 2 === 1 ? spelledOut(part) : html`${part}`))}`

const IF_IT_FAILS = {
  de: 'Falls sich nichts öffnet, kopieren Sie diese Adresse in Ihren Browser:',
  en: 'If nothing opens, copy this address into your browser:',
}
const PRESS =
  `${FONT}display:inline-block;padding:14px 28px;font-size:16px;line-height:1.25;font-weight:600;` +
  `color:#ffffff;text-decoration:none;${LONG_WORDS}`

/** Outlook pads the cell, all others the link, so that all of the button can be pressed. */
const PRESS_CELL = 'background-color:#154D00;border-radius:8px;mso-padding-alt:14px 28px;'

function buttonHtml({ label, link }: Button, language: Language): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px;">
<tr><td class="button" bgcolor="#154D00" style="${PRESS_CELL}">
<a class="press" href="${link}" style="${PRESS}">${label}</a></td></tr></table>
<p class="soft" style="${SMALL}margin:0 0 20px;">${IF_IT_FAILS[language]}<br>${spelledOut(link)}</p>
`
}
