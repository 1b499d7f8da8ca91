-- Habitat trees, their check-ups and photos.

select rechte.protect('app.habitatbaeume');
select rechte.protect('app.habitatkontrollen');
select rechte.protect('app.habitatbilder');
select rechte.protect('rechte.habitat_geloescht');
