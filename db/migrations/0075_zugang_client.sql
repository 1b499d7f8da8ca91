-- A key may be used by a client of the outside provider: that client's tokens (azp) then work with this key.
alter table accounts.zugang add column client text check (client ~ '^[!-~]{1,200}$');
-- One key of the installation for a client, and one of each person.
create unique index zugang_client_haus on accounts.zugang (client) where art = 'haus' and beendet_am is null;
create unique index zugang_client_person on accounts.zugang (user_id, client)
  where art = 'person' and beendet_am is null;
