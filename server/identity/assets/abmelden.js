// Loaded only where the application itself asked to sign this very person out: then nobody needs to be asked again.
document.querySelector('button[name="logout"]')?.click()
