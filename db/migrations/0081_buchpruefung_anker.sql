-- anker: the anchors outside the database, and the head that is to leave the house; mail, stempel: how it has left.
alter table app.buchpruefung drop constraint buchpruefung_art_check;
alter table app.buchpruefung add constraint buchpruefung_art_check
  check (art in ('neu', 'alles', 'dateien', 'anker', 'mail', 'stempel'));
