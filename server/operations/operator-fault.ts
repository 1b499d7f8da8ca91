/** Something only the operator can fix. The message is German and names the next step. */
export class OperatorFault extends Error {
  override readonly name: string = 'OperatorFault'
}

/** What a dump contains is at fault: whoever restores it again meets the same. */
export class DumpFault extends OperatorFault {
  override readonly name = 'DumpFault'
}
