// Calls remote procedures, typed by the contract's table of names.
import { READING_CALL, type Rpc, type RpcName } from '#contract/rpc.ts'
import { call, type CallOptions } from './client.ts'

export async function rpc<N extends RpcName>(
  name: N,
  args: Rpc[N]['takes'],
  options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'repeatable'> = {},
): Promise<Rpc[N]['answers']> {
  const { data } = await call<Rpc[N]['answers']>('POST', `rpc/${name}`, {
    repeatable: READING_CALL.test(name),
    ...options,
    body: args,
  })
  return data
}
