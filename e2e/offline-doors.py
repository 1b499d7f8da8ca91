# QGIS opens an unpacked package of QField, without a network: its layers, their features, names and settings. Prints
# what it found as JSON. Usage: offline-doors.py PROJECT.qgs
import json
import os
import sys
import tempfile

os.environ.setdefault('QT_QPA_PLATFORM', 'offscreen')
project_file = sys.argv[1]

from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsLayoutExporter,
    QgsProject,
)

profile = tempfile.mkdtemp()
QgsApplication.setPrefixPath('/usr', True)
app = QgsApplication([], False, profile)
app.initQgis()
project = QgsProject.instance()
found = {'read': project.read(project_file), 'title': project.title(), 'crs': project.crs().authid()}
found['relative'] = project.filePathStorage() == 1
found['mode'] = project.readEntry('qfieldsync', '/initialMapMode')[0]
folder = os.path.realpath(os.path.dirname(project_file))
found['layers'] = [
    {
        'table': layer.source().split('layername=')[-1],
        'valid': layer.isValid(),
        'crs': layer.crs().authid(),
        'inside': os.path.realpath(layer.source().split('|')[0]).startswith(folder + os.sep),
        'features': sum(1 for one in layer.getFeatures() if one.hasGeometry() and not one.geometry().isEmpty()),
        'labels': layer.labelsEnabled() and layer.labeling().settings().fieldName,
        'color': layer.renderer().symbol().color().name(),
        'action': layer.customProperty('QFieldSync/action'),
        'locked': all(
            layer.customProperty(f'QFieldSync/is_{what}_locked')
            for what in ('feature_addition', 'attribute_editing', 'geometry_editing', 'feature_deletion')
        ),
        'read_only': layer.readOnly(),
    }
    for layer in project.mapLayers().values()
]
for sheet in project.layoutManager().layouts():
    settings = QgsLayoutExporter.ImageExportSettings()
    settings.dpi = 60
    picture = os.environ.get('SHEET') or os.path.join(profile, 'sheet.png')
    found['printed'] = QgsLayoutExporter(sheet).exportToImage(picture, settings) == QgsLayoutExporter.Success
print(json.dumps(found))
sys.stdout.flush()
os._exit(0)
