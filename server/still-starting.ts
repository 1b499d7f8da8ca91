// A start that takes long says so at least every five seconds: unpacking a database, or moving one to this version.

const EVERY_MS = 3_000

export async function tellWhileStarting<T>(starting: Promise<T>, say: (line: string) => void): Promise<T> {
  const began = performance.now()
  const telling = setInterval(
    () => say(`Forstkontor startet noch (seit ${Math.round((performance.now() - began) / 1000)} s) …`),
    EVERY_MS,
  )
  try {
    return await starting
  } finally {
    clearInterval(telling)
  }
}
