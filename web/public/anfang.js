// Before the application's own code: says so when that does not come, and asks for it again. A classic script and a file of its own, because what it waits for may be
// all that is missing, and the content policy allows nothing inline. web/src/main.tsx marks that it runs; from then on the application says itself what is wrong.
{
  const root = document.documentElement
  const KEY = 'anfang.neu'
  const PAUSES_MS = [1000, 2000, 4000]
  const ROUND_MS = 60000
  const SILENT_MS = 20000
  const english = () => root.lang === 'en'
  const begun = () => root.dataset.begun !== undefined

  /** Times that the page was loaded again within this round. */
  const tries = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY) || '[]').filter((at) => Date.now() - at < ROUND_MS)
      return Array.isArray(kept) ? kept : []
    } catch {
      return []
    }
  }
  const element = (tag, text, className) => Object.assign(document.createElement(tag), { textContent: text, className: className || '' })

  /** Only where the page itself is to be had: otherwise it would be lost as well. */
  const again = async (byHand) => {
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5000) }).catch(() => null)
    if (!answer || !answer.ok) return offer()
    try {
      sessionStorage.setItem(KEY, JSON.stringify(byHand ? [] : [...tries(), Date.now()]))
    } catch {
      if (!byHand) return offer()
    }
    location.reload()
  }
  const show = (...parts) => {
    const main = document.querySelector('#app main')
    if (!main || begun()) return
    const logo = main.querySelector('svg')
    main.replaceChildren(...(logo ? [logo] : []), ...parts)
  }
  const offer = () => {
    const alert = element(
      'p',
      english()
        ? 'Forstkontor could not be loaded completely. Please check your internet connection. You stay signed in.'
        : 'Forstkontor ließ sich nicht vollständig laden. Bitte prüfen Sie Ihre Internetverbindung. Ihre Anmeldung bleibt bestehen.',
    )
    alert.setAttribute('role', 'alert')
    const button = element('button', english() ? 'Try again' : 'Erneut versuchen', 'button button-primary')
    button.type = 'button'
    button.addEventListener('click', () => {
      wait()
      void again(true)
    })
    show(element('h1', english() ? 'No connection' : 'Keine Verbindung'), alert, button)
    button.focus()
  }
  const wait = () => {
    const line = element(
      'output',
      english()
        ? 'The connection to the server is disturbed, it is tried again …'
        : 'Die Verbindung zum Server ist gestört, es wird noch einmal versucht …',
    )
    show(line, element('span', '', 'splash-bar'))
  }

  let failed = false
  const fail = () => {
    if (failed || begun()) return
    failed = true
    const pause = PAUSES_MS[tries().length]
    const go = () => {
      if (pause === undefined) return offer()
      wait()
      setTimeout(() => void again(false), pause)
    }
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', go)
    else go()
  }
  // Errors of single files do not bubble. A file that was only fetched ahead is asked for again by the one that needs it.
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && target.type === 'module' && fail(), true)
  setTimeout(() => !begun() && !failed && offer(), SILENT_MS)
}
