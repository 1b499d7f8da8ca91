// Why an attempt counts as failed: the words of dispatch.zustellung.
import type { DeliveryFault } from '#contract/webhook.ts'

export type FaultWord = Exclude<DeliveryFault, 'abgebrochen'>

export class SendFault extends Error {
  override readonly name = 'SendFault'
  readonly word: FaultWord
  constructor(word: FaultWord) {
    super(word)
    this.word = word
  }
}
