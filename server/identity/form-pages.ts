// The forms of the sign-in: each has a heading, one thing to do, and a way on if it does not work. No field has a
// maxlength: browsers cut what is pasted without a word, so the answer says what is too long.
import { Html, html } from '#server/html.ts'
import type { Page } from './pages.ts'
import type { DemoWayIn } from './sign-in.ts'

const alert = (message: string | null) =>
  message === null ? null : html`<p class="meldung fehler" role="alert" id="meldung">${message}</p>`
const described = (message: string | null) =>
  message === null ? null : new Html(' aria-describedby="meldung" aria-invalid="true"')

const PASSWORD_HINT = html`<p class="hinweis">Mindestens 12 Zeichen.
Gut zu merken sind vier Wörter, die nichts miteinander zu tun haben.</p>`

const step = (name: string) => html`<input type="hidden" name="schritt" value="${name}">`

export interface SignInForm {
  readonly action: string
  readonly email: string
  readonly message: string | null
  readonly title: string
  /** Accounts that one press signs in. */
  readonly demo: readonly DemoWayIn[]
}

const demoForm = (action: string, demo: readonly DemoWayIn[]) =>
  demo.length === 0
    ? null
    : html`<section class="probe" aria-labelledby="probe"><h2 id="probe">Beispielkonten</h2>
<p class="leise">Im Probebetrieb genügt ein Klick, ohne Passwort:</p>
<form method="post" action="${action}">${step('anmelden')}
${demo.map(
  ({ email, name, title }) => html`<button class="konto" type="submit" name="konto"
value="${email}"><strong>${name}</strong> <span>${title}</span></button>`,
)}
</form></section>`

export const signInPage = ({ action, email, message, title, demo }: SignInForm): Page => ({
  heading: 'Anmelden',
  fault: message !== null,
  body: html`<p class="leise">Weiter zu ${title} mit Ihrer E-Mail-Adresse und Ihrem Passwort.</p>
${alert(message)}
<form method="post" action="${action}">
${step('anmelden')}
<div class="feld"><label for="email">E-Mail-Adresse</label>
<input id="email" name="email" type="email" inputmode="email" autocomplete="username"
autocapitalize="none" spellcheck="false" required
value="${email}"${described(message)}${email === '' ? new Html(' autofocus') : null}></div>
<div class="feld"><label for="passwort">Passwort</label>
<input id="passwort" name="passwort" type="password" autocomplete="current-password"
required${described(message)}${email === '' ? null : new Html(' autofocus')}></div>
<button class="knopf" type="submit">Anmelden</button>
</form>
<p class="weiter"><a href="/anmelden/vergessen">Passwort vergessen?</a></p>
${demoForm(action, demo)}`,
})

export interface StepForm {
  readonly action: string
  readonly email: string
  readonly message: string | null
}

const otherAccount = (
  action: string,
  email: string,
) => html`<form method="post" action="${action}">${step('zurueck')}
<p class="leise">Angemeldet wird ${email}.</p><button class="knopf zweiter"
type="submit">Mit einem anderen Konto anmelden</button></form>`

export const codePage = ({ action, email, message }: StepForm): Page => ({
  heading: 'Zweiter Faktor',
  fault: message !== null,
  body: html`<p>Öffnen Sie die Authenticator-App auf Ihrem Telefon und geben Sie den sechsstelligen Code ein.</p>
${alert(message)}
<form method="post" action="${action}">
${step('code')}
<div class="feld"><label for="code">Code</label>
<input class="code" id="code" name="code" type="text" autocomplete="one-time-code"
autocapitalize="characters" spellcheck="false" required autofocus${described(message)}>
<p class="hinweis">Telefon nicht zur Hand? Geben Sie hier einen Ihrer Notfallcodes ein.
Haben Sie keinen, bitten Sie die Verwaltung, den zweiten Faktor zurückzusetzen.</p></div>
<button class="knopf" type="submit">Weiter</button>
</form>
${otherAccount(action, email)}`,
})

export const enrolPage = ({
  action,
  email,
  message,
  qrCode,
  secret,
}: StepForm & { qrCode: string; secret: string }): Page => ({
  heading: 'Zweiten Faktor einrichten',
  fault: message !== null,
  body: html`<p>Ihr Konto darf viel. Deshalb schützt es neben dem Passwort ein Code aus einer
  Authenticator-App auf Ihrem Telefon.</p>
${alert(message)}
<h2>1. App verbinden</h2>
<p>Fügen Sie in der App ein Konto hinzu und scannen Sie dieses Bild:</p>
<img class="qr" src="${qrCode}" alt="QR-Code für die Authenticator-App; der Schlüssel steht darunter als Text">
<p>Geht das nicht, geben Sie in der App diesen Schlüssel ein: <code
class="geheim">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<h2>2. Code eingeben</h2>
<form method="post" action="${action}">
${step('einrichten')}
<div class="feld"><label for="code">Sechsstelliger Code aus der App</label>
<input class="code" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code"
required${described(message)}></div>
<button class="knopf" type="submit">Einrichten</button>
</form>
${otherAccount(action, email)}`,
})

export const recoveryCodesPage = ({ action, codes }: { action: string; codes: readonly string[] }): Page => ({
  heading: 'Notfallcodes aufheben',
  body: html`<p>Der zweite Faktor ist eingerichtet.
  Wenn das Telefon einmal fehlt, kommen Sie mit einem dieser Codes hinein; jeder gilt einmal.</p>
<ul class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p>Drucken Sie die Seite oder schreiben Sie die Codes ab. <strong>Sie werden nicht noch einmal gezeigt.</strong></p>
<form method="post" action="${action}">${step('codes_zeigen')}<button class="knopf"
type="submit">Ich habe die Codes aufgehoben</button></form>`,
})

const newPasswordField = (
  message: string | null,
) => html`<div class="feld"><label for="neu">Neues Passwort</label>
<input id="neu" name="neu" type="password" autocomplete="new-password" minlength="12"
required autofocus${described(message)}>
${PASSWORD_HINT}</div>
<div class="feld"><label for="wiederholt">Neues Passwort wiederholen</label>
<input id="wiederholt" name="wiederholt" type="password" autocomplete="new-password" required></div>`

/** Tells password managers whose password this is. */
const hiddenName = (email: string) =>
  html`<input type="hidden" name="email" autocomplete="username" value="${email}">`

export const changePasswordPage = ({ action, email, message }: StepForm): Page => ({
  heading: 'Neues Passwort festlegen',
  fault: message !== null,
  body: html`<p>Ihr bisheriges Passwort wurde von der Verwaltung vergeben.
  Legen Sie jetzt ein eigenes fest, das nur Sie kennen.</p>
${alert(message)}
<form method="post" action="${action}">${step('passwort')}${hiddenName(email)}${newPasswordField(message)}
<button class="knopf" type="submit">Passwort speichern</button></form>
${otherAccount(action, email)}`,
})

export const linkPasswordPage = ({
  action,
  email,
  message,
  welcome,
}: StepForm & { welcome: boolean }): Page => ({
  heading: welcome ? 'Willkommen' : 'Neues Passwort festlegen',
  fault: message !== null,
  body: html`${
    welcome
      ? html`<p>Für Sie wurde ein Zugang angelegt. Legen Sie das Passwort für ${email} fest.</p>`
      : html`<p>Legen Sie das Passwort für ${email} fest.</p>`
  }
${alert(message)}
<form method="post" action="${action}">${hiddenName(email)}${newPasswordField(message)}
<button class="knopf" type="submit">Passwort speichern</button></form>`,
})

export const changeOwnPasswordPage = ({
  message,
  email,
}: {
  message: string | null
  email: string
}): Page => ({
  heading: 'Passwort ändern',
  fault: message !== null,
  body: html`<p>Geben Sie zur Sicherheit noch einmal Ihr bisheriges Passwort an.
  Danach melden Sie sich überall neu an.</p>
${alert(message)}
<form method="post" action="/anmelden/passwort-aendern">
<div class="feld"><label for="email">E-Mail-Adresse</label>
<input id="email" name="email" type="email" inputmode="email" autocomplete="username"
autocapitalize="none" spellcheck="false" required
value="${email}"${described(message)}${email === '' ? new Html(' autofocus') : null}></div>
<div class="feld"><label for="passwort">Bisheriges Passwort</label>
<input id="passwort" name="passwort" type="password" autocomplete="current-password" required></div>
<div class="feld"><label for="code">Code der Authenticator-App</label>
<input class="code" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code">
<p class="hinweis">Nur wenn für Ihr Konto ein zweiter Faktor eingerichtet ist.</p></div>
<div class="feld"><label for="neu">Neues Passwort</label>
<input id="neu" name="neu" type="password" autocomplete="new-password" minlength="12" required>
${PASSWORD_HINT}</div>
<div class="feld"><label for="wiederholt">Neues Passwort wiederholen</label>
<input id="wiederholt" name="wiederholt" type="password" autocomplete="new-password" required></div>
<button class="knopf" type="submit">Passwort ändern</button>
</form>
<p class="weiter"><a href="/anmelden/vergessen">Passwort vergessen?</a></p>`,
})

export const forgotPage = ({ message, email }: { message: string | null; email: string }): Page => ({
  heading: 'Passwort vergessen',
  fault: message !== null,
  body: html`<p>Geben Sie Ihre E-Mail-Adresse an. Gibt es dazu ein Konto, bekommen Sie einen Link,
  mit dem Sie ein neues Passwort festlegen.</p>
${alert(message)}
<form method="post" action="/anmelden/vergessen">
<div class="feld"><label for="email">E-Mail-Adresse</label>
<input id="email" name="email" type="email" inputmode="email" autocomplete="username"
autocapitalize="none" spellcheck="false" required autofocus
value="${email}"${described(message)}></div>
<button class="knopf" type="submit">Link anfordern</button>
</form>
<p class="weiter"><a href="/">Zurück zur Anmeldung</a></p>`,
})

export interface SetUpForm {
  readonly action: string
  readonly vorname: string
  readonly nachname: string
  readonly email: string
  /** The link is bound to this address. */
  readonly fixedEmail: boolean
  readonly message: string | null
  readonly title: string
}

export const setUpPage = (form: SetUpForm): Page => ({
  heading: `${form.title} einrichten`,
  fault: form.message !== null,
  body: html`<p>Legen Sie das erste Konto an. Es darf alles verwalten und weitere Personen einladen.</p>
${alert(form.message)}
<form method="post" action="${form.action}">
<div class="feld"><label for="vorname">Vorname</label><input id="vorname" name="vorname" type="text"
autocomplete="given-name" required autofocus value="${form.vorname}"></div>
<div class="feld"><label for="nachname">Nachname</label><input id="nachname" name="nachname" type="text"
autocomplete="family-name" required value="${form.nachname}"></div>
<div class="feld"><label for="email">E-Mail-Adresse</label><input id="email" name="email" type="email"
inputmode="email" autocomplete="username" autocapitalize="none" spellcheck="false"
required value="${form.email}"${form.fixedEmail ? new Html(' readonly') : null}></div>
<div class="feld"><label for="neu">Passwort</label><input id="neu" name="neu" type="password"
autocomplete="new-password" minlength="12" required>
${PASSWORD_HINT}</div>
<div class="feld"><label for="wiederholt">Passwort wiederholen</label><input id="wiederholt"
name="wiederholt" type="password" autocomplete="new-password" required></div>
<button class="knopf" type="submit">Konto anlegen</button>
</form>`,
})
