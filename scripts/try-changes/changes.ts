// The changes that npm run try knows, by name.
import type { Change } from './change.ts'
import { CALL } from './call.ts'
import { COLUMN } from './column.ts'
import { ROLE } from './role.ts'
import { SCREEN } from './screen.ts'
import { VOUCHER_RULE } from './voucher-rule.ts'
import { WARP_METHOD } from './warp-method.ts'

export const CHANGES: Readonly<Record<string, Change>> = {
  column: COLUMN,
  'voucher-rule': VOUCHER_RULE,
  'warp-method': WARP_METHOD,
  role: ROLE,
  screen: SCREEN,
  call: CALL,
}
