/** Something only the operator can fix. The message is German and names the next step. */
export class OperatorFault extends Error {
  override readonly name: string = 'OperatorFault'
}

/** What a dump contains is at fault: restoring it again fails in the same way. */
export class DumpFault extends OperatorFault {
  override readonly name = 'DumpFault'
}
