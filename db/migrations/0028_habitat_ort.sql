-- Trees of a holding in a part of the map: compares degrees, which row security lets an index do.
create index habitatbaeume_ort on app.habitatbaeume ("idHQ", lat, lon);
