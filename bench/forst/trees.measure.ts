// 100,000 trees of one headquarters: the answers on both engines, then the page in Chromium.
import type { Figure } from '../figures.ts'
import { onBothEngines } from '../maps/world.ts'
import { answers, world } from './trees-served.ts'
import { inBrowser } from './trees-shown.ts'

export async function measure(): Promise<Figure[]> {
  const asked = await onBothEngines(world, answers)
  return [...asked, ...(await inBrowser())]
}
