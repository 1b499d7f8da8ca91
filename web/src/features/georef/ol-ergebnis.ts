// The finished plan on the map, as tiles of the server.
import TileLayer from 'ol/layer/Tile.js'
import type ImageTile from 'ol/source/ImageTile.js'
import { karteWege } from '#contract/karte-dateien.ts'
import { mercatorQuelle } from '../../karte/ol-quellen.ts'

export const ergebnisLayer = (karte: number, datei: number): TileLayer<ImageTile> =>
  new TileLayer<ImageTile>({ source: mercatorQuelle((z, x, y) => karteWege.auflage(karte, datei, z, x, y)), zIndex: 4 })
