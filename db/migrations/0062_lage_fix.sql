-- By which kind of solution a receiver found the place of a tree or of a survey object, and whether the accuracy
-- was made from the satellites' geometry because the receiver says none. Null: not measured by an external
-- receiver, or before this was kept.
alter table app.habitatbaeume
  add column lage_fix text
    constraint habitatbaeume_lage_fix
      check (lage_fix in ('gnss', 'dgps', 'pps', 'rtk_fixed', 'rtk_float', 'estimated')),
  add column genauigkeit_geschaetzt boolean not null default false;

do $$ declare name text; begin
  foreach name in array '{draenage,ausmuendung,schacht,schlucker,einlauf}'::text[] loop
    execute format(
      'alter table app.%I add column lage_fix text constraint %I
         check (lage_fix in (''gnss'', ''dgps'', ''pps'', ''rtk_fixed'', ''rtk_float'', ''estimated'')),
         add column genauigkeit_geschaetzt boolean',
      name, name || '_lage_fix'
    );
  end loop;
end $$;
