-- FlatGeobuf and GML are imported too.
alter table app.vermessung_import
  drop constraint vermessung_import_format_check,
  add constraint vermessung_import_format_check
    check (format in ('gpkg', 'geojson', 'shapefile', 'csv', 'dxf', 'fgb', 'gml'));
alter table app.bestand_import
  drop constraint bestand_import_format_check,
  add constraint bestand_import_format_check
    check (format in ('gpkg', 'geojson', 'shapefile', 'csv', 'dxf', 'fgb', 'gml'));
