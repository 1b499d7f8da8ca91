// Entry of the browser application. What the network has to answer is asked first; the screens' code comes beside it, and app/start.tsx is in charge from there.
import './ui/tokens.css'
import './ui/base.css'
import { begin } from './app/begin.ts'
import { screensCode } from './app/screens-code.ts'
import { isFieldDevice } from './app/field-device.ts'
import { isFieldwork } from './app/mobile.ts'
import { followTrouble } from './app/trouble-screen.ts'

/** So long the screens wait for the sign-in to be asked for: to read their code takes a slow device a third of a second, in which it can send nothing. */
const LONGEST_MS = 200

async function ask(): Promise<void> {
  const longest = new Promise((resolve) => setTimeout(resolve, LONGEST_MS))
  const asked = begin().then(({ entering }) => entering?.asked)
  // A fault is told by the start, which takes up the same beginning.
  await Promise.race([asked.catch(() => {}), longest])
}

async function main(element: HTMLElement): Promise<void> {
  followTrouble()
  // In the field it begins with what lies on the device.
  if (!(isFieldDevice() && isFieldwork(location.pathname))) await ask()
  // Named here, in the entry: by that the page fetches it beside the entry (start-plugin.ts).
  const { start } = await screensCode(() => import('./app/start.tsx'))
  await start(element)
}

void main(document.getElementById('app')!)
