// Entry of the browser application; app/start.tsx is in charge from here.
import './ui/tokens.css'
import './ui/base.css'
import { start } from './app/start.tsx'

void start(document.getElementById('app')!)
