-- A notice to the bookkeeping: the nightly check of the books has found something.
alter table app.meldung drop constraint meldung_art_check;
alter table app.meldung add constraint meldung_art_check
  check (art in ('karte_gezeigt', 'bem_client_antwort', 'angebot_angenommen', 'angebot_abgelehnt', 'dokument_neu', 'gutschein_laeuft_ab', 'laufzeit_endet', 'notiz_erwaehnt', 'buecher_befund'));
