// sharp as the server uses it: without libvips' cache of results (50 MB that stay allocated), since
// nothing here is drawn twice.
import sharp from 'sharp'

sharp.cache(false)

export { default } from 'sharp'
