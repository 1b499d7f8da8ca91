// Steps that take long say so: when they begin, at least every five seconds until they end, and when they end.
// Plain JavaScript for Node 18 or newer, because the first step installs the pinned Node.

/** Two seconds before the five: a step may keep its thread that long. */
const EVERY_MS = 3_000

const running = new Set()
let ticking

const seconds = (ms) => Math.round(ms / 1000)

const lineOf = ({ title, expected, began }) =>
  `${title} (${seconds(performance.now() - began)} s von etwa ${expected} s)`

/** One line for everything that runs, since steps run beside each other. */
function tick() {
  const [{ say }] = running
  say(`Forstkontor: noch dabei: ${[...running].map(lineOf).join(', ')}`)
}

/** Counts the silence from now. */
function speak(say, line) {
  say(line)
  clearInterval(ticking)
  ticking = running.size === 0 ? undefined : setInterval(tick, EVERY_MS)
}

/** `expected`: seconds on two cores; `say` writes a line. */
export async function withProgress({ title, expected, say = console.log }, work) {
  const began = performance.now()
  const step = { title, expected, began, say }
  running.add(step)
  speak(say, `Forstkontor: ${title} … (etwa ${expected} s)`)
  let done = false
  try {
    const result = await work()
    done = true
    return result
  } finally {
    running.delete(step)
    const took = ((performance.now() - began) / 1000).toFixed(1)
    speak(say, `Forstkontor: ${title} … ${done ? 'fertig' : 'fehlgeschlagen'} (${took} s)`)
  }
}
