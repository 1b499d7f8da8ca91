// In charge of what mails look like. Every mail of the product is a Letter; this writes it as plain text and
// as HTML in the product's look, in the language of its receiver.
import { htmlOf } from './letter-html.ts'
import type { Block, CleanLetter, Language, Letter, Sender, WrittenLetter } from './letter.ts'
import { letterheadLines } from './letterhead.ts'
import { oneLine, plainText } from './plain.ts'

export function writeLetter(letter: Letter, sender: Sender): WrittenLetter {
  const clean = cleanLetter(letter, sender)
  return {
    subject: clean.subject,
    text: textOf(clean),
    html: htmlOf(clean),
  }
}

function cleanLetter(letter: Letter, sender: Sender): CleanLetter {
  const { subject, heading = subject, reason } = letter
  return {
    ...letter,
    sender: oneLine(sender.name),
    foot: footOf(letter.language, sender),
    subject: oneLine(subject),
    heading: oneLine(heading),
    blocks: letter.blocks.map(cleanBlock),
    ...(reason && { reason: { text: plainText(reason.text), link: checkLink(reason.link) } }),
  }
}

function cleanBlock(block: Block): Block {
  switch (block.kind) {
    case 'text':
      return { ...block, text: plainText(block.text).trim() }
    case 'button':
      return { ...block, label: oneLine(block.label), link: checkLink(block.link) }
    case 'items':
      return {
        ...block,
        items: block.items.map(({ text, link }) => ({ text: oneLine(text), link: checkLink(link) })),
      }
  }
}

/** Links are made by the server; anything but a page's address is a fault of ours. */
function checkLink(link: string): string {
  if (!/^https?:\/\/[^\s<>"]+$/.test(link)) throw new Error('a mail may only link to a page')
  return link
}

const HELP = {
  de: ({ phone, hours }: { phone: string; hours: string }) => `Fragen? Rufen Sie uns an: ${phone} (${hours})`,
  en: ({ phone, hours }: { phone: string; hours: string }) => `Questions? Call us: ${phone} (${hours})`,
}

/** Whom to ask, and whom it is from; each of several lines. */
function footOf(language: Language, { letterhead, support }: Sender): CleanLetter['foot'] {
  return [
    support == null ? [] : [HELP[language](support)],
    letterhead === null ? [] : letterheadLines(letterhead),
  ]
    .filter((part) => part.length > 0)
    .map((part) => part.map(oneLine))
}

function textOf({ blocks, reason, foot }: CleanLetter): string {
  const small = [
    ...(reason === undefined ? [] : [`${reason.text}\n${reason.link}`]),
    ...foot.map((part) => part.join('\n')),
  ].join('\n\n')
  return `${blocks.map(blockText).join('\n\n')}\n${small === '' ? '' : `\n-- \n${small}\n`}`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'button':
      return `${block.label}:\n${block.link}`
    case 'items':
      return block.items.map(({ text, link }) => `• ${text}\n  ${link}`).join('\n\n')
  }
}
