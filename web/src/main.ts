import { mount } from 'svelte'
import { startLanguage } from './lang'
import './lib/theme'
import { watchScroll } from './lib/scroll'
import './style.css'

watchScroll()
// Whatever is drawn, or written into a module, is in the chosen language: the page is loaded after its words.
await startLanguage()
const { default: App } = await import('./App.svelte')
mount(App, { target: document.getElementById('app')! })
