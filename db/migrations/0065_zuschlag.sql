-- A discount below zero is a surcharge: on a line, or on the whole document.
alter table app.rechnung
  drop constraint rechnung_rabatt_prozent_check,
  add constraint rechnung_rabatt_prozent_check check (rabatt_prozent between -100 and 100);
alter table app.angebot
  drop constraint angebot_rabatt_prozent_check,
  add constraint angebot_rabatt_prozent_check check (rabatt_prozent between -100 and 100);
alter table app.position
  drop constraint position_rabatt_prozent_check,
  add constraint position_rabatt_prozent_check check (rabatt_prozent between -100 and 100);
