// Node 24's own client ends the process when a peer hangs up while nobody reads its answer (nodejs/undici#5360). Loading this one puts it in its place, under `fetch` as well.
import 'undici'
