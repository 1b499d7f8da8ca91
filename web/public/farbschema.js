// Before the first paint: colours and scheme that this person has chosen (ui/preferences.ts keeps them). A classic script, because a module would come too late,
// and a separate file, because the content policy allows nothing inline.
try {
  const kept = JSON.parse(localStorage.getItem('forstkontor.einstellung') || '{}')
  const root = document.documentElement
  const values = kept.values || {}
  if (values.scheme === 'dark' || values.scheme === 'light') root.dataset.scheme = values.scheme
  if (values.size === 'small') root.dataset.size = 'small'
  if (values.language === 'en') root.lang = 'en'
  if (values.theme && kept.tokens) {
    for (const name of Object.keys(kept.tokens)) root.style.setProperty(name, kept.tokens[name])
    if (kept.tokens['--sidebar'])
      document.querySelector('meta[name="theme-color"]').content = kept.tokens['--sidebar']
  }
} catch {
  // Without a store everything is as delivered.
}
