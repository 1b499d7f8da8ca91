// A translated sentence in which some of the values are links or other parts.
import { Fragment, type ReactNode } from 'react'

interface LinkedProps {
  /** From `t()` without these values: "Support: {phone}". */
  text: string
  /** What stands for `{phone}`. */
  parts: Readonly<Record<string, ReactNode>>
}

export const Linked = ({ text, parts }: LinkedProps) =>
  text
    .split(/(\{\w+\})/)
    .map((piece, nr) => <Fragment key={nr}>{parts[piece.replaceAll(/[{}]/g, '')] ?? piece}</Fragment>)
