// The page before the application: shows that it is loading, what holds that up, and the way on. A classic script in a separate file, because what is missing may be
// all of our code, and the content policy allows nothing inline. Until web/src/app/trouble-screen.ts marks that the code runs, it watches over it by itself; from then
// on it shows what that code passes to it.
{
  const root = document.documentElement
  const KEY = 'anfang.neu'
  const PAUSES_MS = [1000, 2000, 4000]
  const ROUND_MS = 60000
  const SILENT_MS = 20000
  const LOOK_MS = 30000
  const said = (german, english) => (root.lang === 'en' ? english : german)
  const begun = () => root.dataset.begun !== undefined

  const element = (tag, attributes, ...content) => {
    const made = document.createElement(tag)
    for (const name of Object.keys(attributes)) made.setAttribute(name, attributes[name])
    made.append(...content.filter((part) => part !== null))
    return made
  }
  const logo = () => {
    const drawn = document.querySelector('#app main svg')
    return drawn ? drawn.cloneNode(true) : null
  }
  const show = (attributes, ...parts) => {
    const app = document.getElementById('app')
    if (app) app.replaceChildren(element('main', { class: 'splash', ...attributes }, logo(), ...parts))
  }
  const button = (text, look, press) => {
    const made = element('button', { type: 'button', class: 'button button-' + look }, text)
    made.addEventListener('click', press)
    return made
  }
  /** Whether someone may work here without a connection, as web/src/app/field-device.ts finds out. */
  const isPreparedForField = () => {
    try {
      return /"sub":"/.test(localStorage.getItem('geraet.feld') || '')
    } catch {
      return false
    }
  }
  const fieldButton = (address = isPreparedForField() && '/feld') =>
    address
      ? button(said('Feldmodus öffnen', 'Open field mode'), 'secondary', () => location.assign(address))
      : null
  const showWaiting = (text) =>
    show(
      { 'aria-busy': 'true' },
      element('output', { 'aria-live': 'polite' }, text),
      element('span', { class: 'splash-bar', 'aria-hidden': 'true' }),
    )
  const showLoading = () => showWaiting(said('Forstkontor wird geladen …', 'Forstkontor is loading …'))
  const AGAIN = () => said('Es wird noch einmal versucht …', 'Trying again …')
  /** Why the worker (web/worker.js) shows the kept page. */
  const LINES = {
    silent: () => said('Der Server antwortet nicht.', 'The server does not answer.'),
    unreachable: () => said('Der Server ist nicht erreichbar.', 'The server cannot be reached.'),
    starting: () => said('Der Server startet gerade.', 'The server is just starting.'),
    faulty: () => {
      const { lineStatus } = root.dataset
      return said(`Der Server ist gestört (${lineStatus}).`, `The server has a problem (${lineStatus}).`)
    },
    foreign: () =>
      said(
        'Das Netz verlangt vielleicht eine Anmeldung: Statt Forstkontor hat etwas anderes geantwortet.',
        'The network may require a sign-in: something other than Forstkontor answered.',
      ),
  }
  const line = LINES[root.dataset.line]
  const lineTitle = () =>
    WORDS[/^(?:starting|faulty)$/.test(root.dataset.line) ? 'faulty' : 'unreachable'].title()
  /** Past the worker, so that the network can show its own page. */
  const networkButton = () =>
    root.dataset.line === 'foreign'
      ? button(said('Seite des Netzes öffnen', 'Open the network’s page'), 'secondary', () =>
          open('/livez', '_blank', 'noopener'),
        )
      : null
  const showAgain = () =>
    line
      ? show(
          { 'aria-busy': 'true' },
          element('h1', {}, lineTitle()),
          element('output', { 'aria-live': 'polite' }, `${line()} ${AGAIN()}`),
          element('span', { class: 'splash-bar', 'aria-hidden': 'true' }),
          networkButton(),
          fieldButton(),
        )
      : showWaiting(
          said(
            'Die Verbindung zum Server ist gestört, es wird noch einmal versucht …',
            'The connection to the server is disrupted. Trying again …',
          ),
        )
  const WORDS = {
    unreachable: {
      title: () => said('Keine Verbindung', 'No connection'),
      text: () =>
        said(
          'Forstkontor ist gerade nicht erreichbar. Bitte prüfen Sie Ihre Internetverbindung.',
          'Forstkontor cannot be reached just now. Please check your internet connection.',
        ),
      more: () =>
        said(
          'Ihre Anmeldung und diese Adresse bleiben erhalten.',
          'You stay signed in, and this address is kept.',
        ),
    },
    faulty: {
      title: () => said('Forstkontor ist gerade gestört', 'Forstkontor has a problem just now'),
      text: () =>
        said(
          'Der Server hat mehrmals nicht richtig geantwortet. Das liegt nicht an Ihnen; meist geht es nach kurzer Zeit wieder.',
          'The server has not answered properly several times. It is not your fault; usually it works again after a short while.',
        ),
      more: () =>
        said(
          'Ihre Anmeldung und diese Adresse bleiben erhalten.',
          'You stay signed in, and this address is kept.',
        ),
    },
    unusable: {
      title: () => said('Die Anwendung kann nicht starten', 'The application cannot start'),
      text: () =>
        said(
          'Die Einstellungen des Servers fehlen oder sind nicht vollständig.',
          "The server's settings are missing or not complete.",
        ),
      more: () =>
        said(
          'Bleibt der Fehler bestehen, wenden Sie sich bitte an den Support.',
          'If the error persists, please contact support.',
        ),
    },
  }
  const showStopped = ({ kind, detail, field }, press) => {
    const { title, text, more } = WORDS[kind]
    const again = button(said('Erneut versuchen', 'Try again'), 'primary', press)
    show(
      {},
      element('h1', {}, title()),
      element(
        'div',
        { class: 'splash-text', role: 'alert' },
        line ? element('p', {}, line()) : null,
        element('p', {}, text()),
        element('p', {}, more()),
        detail ? element('p', { class: 'soft' }, said('Für den Support: ', 'For support: ') + detail) : null,
      ),
      again,
      networkButton(),
      field
        ? element(
            'div',
            { class: 'splash-text' },
            element(
              'p',
              {},
              said(
                'Ohne Verbindung können Sie im Feldmodus arbeiten.',
                'Without a connection you can work in field mode.',
              ),
            ),
            fieldButton(field),
          )
        : null,
    )
    // Nothing else on this page could have the focus; a press of Enter is enough.
    again.focus()
  }

  document.addEventListener('anfang', ({ detail }) => {
    if (detail.state === 'stopped')
      showStopped(detail, () => document.dispatchEvent(new Event('anfang-erneut')))
    else if (detail.state === 'again') showAgain()
    else showLoading()
  })
  if (line)
    document.addEventListener(
      'DOMContentLoaded',
      () => document.querySelector('#app > .splash') && showAgain(),
    )

  /** Times that the page was loaded again within this round. */
  const tries = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY) || '[]')
      return Array.isArray(kept) ? kept.filter((at) => Date.now() - at < ROUND_MS) : []
    } catch {
      return []
    }
  }
  const keep = (times) => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(times))
      return true
    } catch {
      return false
    }
  }
  const isThere = (address, headers = {}) =>
    fetch(address, { method: 'HEAD', headers, cache: 'no-store', signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  /** Asked for as a page: to another kind of request the server answers that there is no such file. */
  const isPageThere = () => isThere(location.href, { accept: 'text/html' })
  /** Waiting for the person it looks by itself now and then: a server that is started again sends no word. */
  const look = async () => {
    if (begun()) return clearInterval(looking)
    const code = document.querySelector('script[type="module"][src]')
    return (await isPageThere()) && (!code || (await isThere(code.src))) && again(true)
  }
  let looking
  /** Times that not even the page was to be had. */
  let misses = 0
  const offer = () => {
    if (begun()) return
    showStopped({ kind: 'unreachable', detail: '' }, () => {
      misses = 0
      void again(true)
    })
    clearInterval(looking)
    looking = setInterval(() => void look(), LOOK_MS)
  }
  addEventListener('online', () => looking && void look())
  const goOn = () => {
    const pause = PAUSES_MS[tries().length + misses]
    if (pause === undefined || navigator.onLine === false) return offer()
    showAgain()
    return setTimeout(() => void again(false), pause)
  }
  /** Only where the page itself is to be had: otherwise it would be lost as well. */
  const again = async (newRound) => {
    if (begun()) return
    clearInterval(looking)
    looking = undefined
    showAgain()
    if (await isPageThere()) {
      // Where nothing can be kept it would go round in circles.
      if (keep(newRound ? [] : [...tries(), Date.now()]) || newRound) location.reload()
      else offer()
    } else {
      misses++
      goOn()
    }
  }
  let failed = false
  const fail = () => {
    if (failed || begun()) return
    failed = true
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', goOn)
    else goOn()
  }
  // Errors of single files do not bubble. A file that was only fetched ahead is asked for again by the one that needs it.
  addEventListener(
    'error',
    ({ target }) => target instanceof HTMLScriptElement && target.type === 'module' && fail(),
    true,
  )
  setTimeout(() => !failed && offer(), SILENT_MS)
}
