-- What all of the bookkeeping shares: who reads it, the lock under which it is written, the audit chain, and what makes an issued document unchangeable.
-- Read: apus_admin; a customer's admins read the documents of their own customer (head data in dokument.sql), never the books. Written by procedures alone: nutzer holds no
-- grant to insert, update or delete on any of these tables.

select rechte.protect('app.protokoll');
grant select, insert on app.protokoll to forst_definer;
-- The name of a person whose data are deleted; it is not part of the hash.
grant update (wer) on app.protokoll to forst_definer;
grant select on app.protokoll to nutzer;
create policy buchhaltung on app.protokoll for select to nutzer using ((select rechte.has_role('apus_admin')));

do $$ declare relation regclass; begin
  foreach relation in array array['app.lieferant', 'app.nummernkreis', 'app.kunde_rechnung', 'app.rechnung', 'app.angebot', 'app.position']::regclass[] loop
    perform rechte.protect(relation);
    execute format('grant select, insert, update, delete on %s to forst_definer', relation);
    execute format('grant select on %s to nutzer', relation);
    execute format($p$create policy buchhaltung on %s for select to nutzer using ((select rechte.has_role('apus_admin')))$p$, relation);
  end loop;
end $$;

-- Written by forst_dokument alone, which the server takes on when it has made a document; nutzer sees everything but the bytes, which the server hands out after it has
-- asked for the row as the caller.
select rechte.protect('app.dokument');
grant select (id, client_id, rechnung_id, angebot_id, mahnung_id, art, dateiname, sha256, groesse, regelwerk, erzeugt_am) on app.dokument to nutzer;
grant select, insert (client_id, rechnung_id, angebot_id, mahnung_id, art, dateiname, inhalt, sha256, regelwerk) on app.dokument to forst_dokument;
grant select, delete on app.dokument to forst_definer;
create policy buchhaltung on app.dokument for select to nutzer using ((select rechte.has_role('apus_admin')));
create policy own on app.dokument for select to nutzer using (client_id = any ((select rechte.kunden_als('kundenadmin', 'appuser_admin'))::bigint[]));
grant execute on function rechte.is_line(text, integer), rechte.is_line_or_empty(text, integer) to forst_dokument;
create policy schreiber_liest on app.dokument for select to forst_dokument using (true);
create policy schreiber on app.dokument for insert to forst_dokument with check (true);

-- Of the books that role sees what was issued and nothing else.
grant select (id, client_id, art, nummer, ausgestellt_am, beleg) on app.rechnung to forst_dokument;
grant select (id, client_id, nummer, fassung, ausgestellt_am, beleg) on app.angebot to forst_dokument;
grant select (logo, logo_typ, aufbewahrung_text) on app.lieferant to forst_dokument;
create policy dokument on app.rechnung for select to forst_dokument using (beleg is not null);
create policy dokument on app.angebot for select to forst_dokument using (beleg is not null);
create policy dokument on app.lieferant for select to forst_dokument using (eines);
