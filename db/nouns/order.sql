-- Runs last: nothing of ours is open to PUBLIC, whatever an earlier file forgot.

do $$
declare entry record;
begin
  for entry in
    select p.oid::regprocedure as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any (rights.schemas() || '{idp,betrieb}')
  loop
    execute format('revoke execute on function %s from public', entry.name);
  end loop;
end $$;
