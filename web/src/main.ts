import { mount } from 'svelte'
import { startLanguage } from './lang'
import './lib/theme'
import { watchScroll } from './lib/scroll'
import './style.css'

// The engine takes longest to load and to start, so it begins first.
if (import.meta.env.MODE === 'site') void import('./engine/page')
watchScroll()
// Whatever is drawn, or written into a module, is in the chosen language: the page is loaded after its words.
await startLanguage()
const { default: App } = await import('./App.svelte')
mount(App, { target: document.getElementById('app')! })
if (import.meta.env.MODE === 'site') {
  const [{ update }, { pool }] = await Promise.all([import('./lib/update.svelte'), import('./engine/page')])
  // Storing all files needs time on a core, and so does the first solve: advice comes first.
  await pool.idle(3000)
  // Without a service worker the page needs the network, and works.
  await update.register('./sw.js').catch(() => {})
}
