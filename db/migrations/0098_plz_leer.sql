-- Countries whose post has no postcodes (checks.is_postcode).
alter table app.kunde
  drop constraint kunde_plz_check,
  add constraint kunde_plz_check check (checks.is_line_or_empty(plz, 12));
