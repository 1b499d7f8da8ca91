-- A mail to whoever loses the second factor by an admin's hand.
alter table idp.post drop constraint post_art_check;
alter table idp.post add constraint post_art_check
  check (art in ('einladung', 'passwort', 'sperre', 'passwort_neu', 'faktor_weg')) not valid;
alter table idp.post validate constraint post_art_check;
