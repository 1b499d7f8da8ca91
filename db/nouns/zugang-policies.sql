-- What a key takes away, table by table: the last file, because it reads which tables are published. Policies
-- of programm are restrictive: they only narrow what those of nutzer allow, and do not exist for people.
do $$
declare
  entry record;
  condition text;
  opens text;
begin
  for entry in
    select c.oid::regclass as relation, rights.group_of(c.relname) as key_group,
      exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped
      ) as has_kunde,
      (
        select string_agg(format(
          'exists (select from %s o where o.%I = %s.%I)', parent.oid::regclass, pk.attname, c.oid::regclass,
          fk.attname
        ), ' and ')
        from pg_constraint f
          join pg_class parent on parent.oid = f.confrelid
          join pg_attribute fk on fk.attrelid = f.conrelid and fk.attnum = f.conkey[1]
          join pg_attribute pk on pk.attrelid = f.confrelid and pk.attnum = f.confkey[1]
        where f.conrelid = c.oid
          and f.contype = 'f'
          and f.confrelid <> f.conrelid
          and cardinality(f.conkey) = 1
          and fk.attnotnull
          and has_column_privilege('nutzer', parent.oid, pk.attnum, 'select')
          and exists (
            select from pg_attribute a
            where a.attrelid = parent.oid and a.attname = 'client_id' and not a.attisdropped
          )
      ) as of_parent
    from pg_class c
    where c.relkind in ('r', 'p')
      and c.relnamespace::regnamespace::text = any (rights.schemas())
      and (
        has_any_column_privilege('nutzer', c.oid, 'select, insert, update')
        or has_table_privilege('nutzer', c.oid, 'delete')
      )
  loop
    opens := case
      -- Each event is of the group of its record.
      when entry.relation = 'app.ereignis'::regclass then
        'rights.group_of_event(art) = any ((select rights.opened_groups())::text[]) and '
      else format('(select rights.key_opens(%L)) and ', coalesce(entry.key_group, ''))
    end;
    condition := opens || case
      when entry.has_kunde then
        '((select rights.key_every_kunde()) or client_id = (select rights.key_kunde()))'
      -- A table without the column belongs to the customer of the row that it hangs on; otherwise it is
      -- closed.
      when entry.of_parent is not null then
        format('((select rights.key_every_kunde()) or (%s))', entry.of_parent)
      else '(select rights.key_every_kunde())'
    end;
    execute format('drop policy if exists zugang on %s', entry.relation);
    execute format('drop policy if exists zugang_loescht on %s', entry.relation);
    execute format(
      'create policy zugang on %1$s as restrictive to programm using (%2$s)
        with check (%2$s and (select rights.key_writes()))',
      entry.relation, condition
    );
    execute format(
      'create policy zugang_loescht on %s as restrictive for delete to programm
        using ((select rights.key_writes()))',
      entry.relation
    );
  end loop;
end $$;

create or replace trigger a_no_key before insert or update or delete on app.benutzer
  for each row when (current_user <> 'forst_betrieb') execute function rights.check_no_key();
create or replace trigger a_no_key before insert or update or delete on app.benutzer_kunde
  for each row when (current_user <> 'forst_betrieb') execute function rights.check_no_key();
create or replace trigger a_no_key before insert or update or delete on app.benutzer_hq
  for each row when (current_user <> 'forst_betrieb') execute function rights.check_no_key();
