/** Something only the operator can fix. The message is German and names the next step. */
export class OperatorFault extends Error {
  override readonly name = 'OperatorFault'
}
