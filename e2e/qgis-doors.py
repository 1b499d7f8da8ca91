# QGIS as a client of the OGC services, with a key as the password of Basic: opens a collection, pages through all of
# it, filters by place, opens a project file with its layers, plans and sheet, and draws vector tiles in the style that
# belongs to them. Prints what it found as JSON.
# Usage: qgis-doors.py ADDRESS KEY COLLECTION PROJECT.qgs
import json
import os
import sys
import tempfile
import urllib.request
from base64 import b64encode

os.environ.setdefault('QT_QPA_PLATFORM', 'offscreen')
address, key, collection, project_file = sys.argv[1:5]

from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsAuthMethodConfig,
    QgsCoordinateTransform,
    QgsFeatureRequest,
    QgsLayoutExporter,
    QgsMapBoxGlStyleConverter,
    QgsMapLayer,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtCore import QSize  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402

profile = tempfile.mkdtemp()
os.environ['QGIS_AUTH_DB_DIR_PATH'] = profile
QgsApplication.setPrefixPath('/usr', True)
app = QgsApplication([], False, profile)
app.initQgis()
manager = app.authManager()
manager.setMasterPassword('only for this test', True)
basic = QgsAuthMethodConfig('Basic')
basic.setName('key')
basic.setConfig('username', 'QGIS')
basic.setConfig('password', key)
stored = manager.storeAuthenticationConfig(basic)
if isinstance(stored, tuple):
    stored, basic = stored
assert stored
found = {}

uri = f"authcfg={basic.id()} typename='{collection}' url='{address}/ogc' pageSize='1000'"
layer = QgsVectorLayer(uri, collection, 'OAPIF')
found['valid'] = layer.isValid()
if layer.isValid():
    ids = [feature['id'] for feature in layer.getFeatures()]
    found['features'] = len(ids)
    found['different'] = len(set(ids))
    extent = layer.extent()
    half = QgsRectangle(extent.xMinimum(), extent.yMinimum(), extent.center().x(), extent.yMaximum())
    found['half'] = sum(1 for _ in layer.getFeatures(QgsFeatureRequest(half)))

asked = urllib.request.Request(
    f'{address}/ogc/styles/{collection}',
    headers={'authorization': 'Basic ' + b64encode(f'QGIS:{key}'.encode()).decode()},
)
style = json.load(urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked))
converter = QgsMapBoxGlStyleConverter()
found['style_read'] = converter.convert(style) == QgsMapBoxGlStyleConverter.Success
found['style_warnings'] = list(converter.warnings())
found['style_layers'] = len(converter.renderer().styles()) + len(converter.labeling().styles())
source = style['sources'][collection]
tiles = QgsVectorTileLayer(
    f"type=xyz&url={source['tiles'][0]}&zmin={source['minzoom']}&zmax={source['maxzoom']}&authcfg={basic.id()}",
    collection,
)
found['tiles_valid'] = tiles.isValid()
tiles.setRenderer(converter.renderer().clone())
tiles.setLabeling(converter.labeling().clone())
settings = QgsMapSettings()
settings.setLayers([tiles])
settings.setDestinationCrs(tiles.crs())
settings.setOutputSize(QSize(600, 400))
settings.setBackgroundColor(QColor(255, 255, 255))
place = next(layer.getFeatures()).geometry()
place.transform(QgsCoordinateTransform(layer.crs(), tiles.crs(), QgsProject.instance()))
settings.setExtent(place.boundingBox().buffered(400))
job = QgsMapRendererParallelJob(settings)
job.start()
job.waitForFinished()
image = job.renderedImage()
found['drawn'] = len({image.pixel(x, y) for x in range(0, 600, 2) for y in range(0, 400, 2)})

# In the program itself QGIS asks for name and password; without a window they are named in each source.
text = open(project_file, encoding='utf-8').read()
text = text.replace('pageSize=&#39;', f'authcfg={basic.id()} pageSize=&#39;')
text = text.replace('crs=EPSG:3857&amp;dpi', f'authcfg={basic.id()}&amp;crs=EPSG:3857&amp;dpi')
with_key = os.path.join(profile, 'project.qgs')
open(with_key, 'w', encoding='utf-8').write(text)
project = QgsProject.instance()
found['read'] = project.read(with_key)
found['title'] = project.title()
found['crs'] = project.crs().authid()
found['layers'] = [
    {
        'name': one.name(),
        'valid': one.isValid(),
        'features': one.featureCount() if one.type() == QgsMapLayer.VectorLayer else None,
        'labels': one.labelsEnabled() if one.type() == QgsMapLayer.VectorLayer else None,
    }
    for one in project.mapLayers().values()
]
found['items'] = []
for sheet in project.layoutManager().layouts():
    found['items'] = sorted(type(item).__name__ for item in sheet.items())
    picture = os.path.join(profile, 'sheet.png')
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 60
    found['printed'] = QgsLayoutExporter(sheet).exportToImage(picture, settings) == QgsLayoutExporter.Success
    kept = os.environ.get('SHEET')
    if kept:
        os.replace(picture, kept)
print(json.dumps(found))
sys.stdout.flush()
os._exit(0)
