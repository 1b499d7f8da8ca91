-- Data of the embedded identity provider. Only the provider's role works with them, never a user's request,
-- and nothing is published.

revoke all on schema idp from public;
grant usage on schema idp to forst_idp, forst_betrieb, forst_api;

do $$
declare relation regclass;
begin
  foreach relation in array array[
    'idp.konto', 'idp.wiederherstellung', 'idp.einmal_link', 'idp.artefakt', 'idp.anmeldevorgang',
    'idp.schluessel', 'idp.drossel', 'idp.sperre', 'idp.ereignis', 'idp.geheimnis', 'idp.post'
  ]::regclass[] loop
    perform rights.protect(relation);
    execute format('drop policy definer on %s', relation);
    execute format('create policy idp on %s to forst_idp using (true) with check (true)', relation);
  end loop;
end $$;

grant select, insert, update, delete on idp.konto, idp.wiederherstellung, idp.einmal_link, idp.artefakt,
  idp.anmeldevorgang, idp.schluessel, idp.drossel, idp.sperre, idp.geheimnis, idp.post to forst_idp;
-- Written once, never changed.
grant select, insert on idp.ereignis to forst_idp;
