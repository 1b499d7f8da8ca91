// Entry of the browser application. Sends the first network requests, loads the code of the screens in
// parallel and hands over to app/start.tsx.
import './ui/font.css'
import './ui/tokens.css'
import './ui/base.css'
import { begin } from './app/begin.ts'
import { screensCode } from './app/screens-code.ts'
import { isFieldDevice } from './app/field-device.ts'
import { isFieldwork } from './app/mobile.ts'
import { followTrouble } from './app/trouble-screen.ts'

/**
 * Longest wait, before the screens' code is loaded, for the sign-in request to be sent: parsing that code
 * takes a slow device a third of a second, during which it cannot send anything.
 */
const LONGEST_MS = 200

async function ask(): Promise<void> {
  const longest = new Promise((resolve) => setTimeout(resolve, LONGEST_MS))
  const asked = begin().then(({ entering }) => entering?.asked)
  // app/start.tsx awaits the same promise and reports its failure.
  await Promise.race([asked.catch(() => {}), longest])
}

async function main(element: HTMLElement): Promise<void> {
  followTrouble()
  // In the field the start uses the data on the device and must not wait for the network.
  if (!(isFieldDevice() && isFieldwork(location.pathname))) await ask()
  // Imported from the entry so that start-plugin.ts can preload it alongside the entry.
  const { start } = await screensCode(() => import('./app/start.tsx'))
  await start(element)
}

void main(document.getElementById('app')!)
