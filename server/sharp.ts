// sharp as the server uses it: without libvips' cache of what it has drawn (50 MB that stay), since nothing here is drawn twice.
import sharp from 'sharp'

sharp.cache(false)

export { default } from 'sharp'
