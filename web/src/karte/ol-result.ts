// The finished plan on the map, as tiles from the server.
import TileLayer from 'ol/layer/Tile.js'
import type ImageTile from 'ol/source/ImageTile.js'
import { kartePaths } from '#contract/karte-files.ts'
import { mercatorSource } from './ol-sources.ts'

export const resultLayer = (karte: number, file: number, onPicture?: () => void): TileLayer<ImageTile> =>
  new TileLayer<ImageTile>({
    source: mercatorSource(
      (z, x, y) => kartePaths.overlay(karte, file, z, x, y),
      onPicture === undefined ? {} : { onPicture },
    ),
    zIndex: 4,
  })
