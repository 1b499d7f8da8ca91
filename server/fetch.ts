// Node 24's own client crashes the process when a peer hangs up before its answer is read
// (nodejs/undici#5360). Loading this module replaces it, including the global `fetch`.
import 'undici'
