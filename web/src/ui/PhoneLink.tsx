// A telephone number, one press away from the call.
import type { ReactNode } from 'react'
import { dialHref } from '#domain/telephone.ts'

interface PhoneProps {
  number: string | null | undefined
  /** Instead of the number. */
  children?: ReactNode
}

export function PhoneLink({ number, children }: PhoneProps) {
  if (!number) return <span className="soft">–</span>
  return (
    <a className="nums" href={dialHref(number)}>
      {children ?? number}
    </a>
  )
}
