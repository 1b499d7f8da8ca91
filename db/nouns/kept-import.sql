-- Imports of programs and their answers, kept for a day under a key of the caller's; see
-- docs/decisions/kept-answers.md. Closed to every role: the server calls the functions below around the
-- import, and accounts.keep_import in its transaction.

select rights.protect('accounts.kept_import');
grant select, insert, update, delete on accounts.kept_import to forst_definer;

-- Definer: the table is closed to nutzer. Takes a key for the import that follows (`neu`), or says what
-- became of the one that has it: it runs (`laeuft`), is over (`fertig`), or is another one (`anders`). One
-- that failed, or whose server has not been heard of for a minute, is begun again. At most 200 of a person
-- are kept, and none longer than a day.
create or replace function accounts.begin_import(
  key text, digest text, was text, lauf uuid, out id bigint, out stand text, out answer text
) language plpgsql set search_path = pg_catalog as $$
declare
  me bigint := rights.user_id();
  own text := accounts.answer_key(begin_import.key);
  held accounts.kept_import;
begin
  perform rights.refuse_unless(me is not null);
  delete from accounts.kept_import i
  where i.id in (
    select o.id
    from accounts.kept_import o
    where o.user_id = me
      and (o.stand <> 'laeuft' or o.lebt_am < clock_timestamp() - interval '1 hour')
      and o.at < greatest(clock_timestamp() - interval '1 day', (
        select k.at
        from accounts.kept_import k
        where k.user_id = me
        order by k.at desc offset 199 limit 1
      )) for update skip locked
  );
  insert into accounts.kept_import as i (user_id, zugang_id, key, digest, was, lauf)
  values (
    me, (rights.claims() ->> 'key')::bigint, own, begin_import.digest, begin_import.was, begin_import.lauf
  )
  on conflict on constraint kept_import_user_id_key_key do nothing
  returning i.id into begin_import.id;
  if found then
    stand := 'neu';
    return;
  end if;
  select i.* into held
  from accounts.kept_import i
  where i.user_id = me and i.key = own for update;
  id := held.id;
  if held.stand = 'fehlgeschlagen'
    or (held.stand = 'laeuft' and held.lebt_am < clock_timestamp() - interval '1 minute')
  then
    update accounts.kept_import i set
      stand = 'laeuft', answer = null, fortschritt = 0, digest = begin_import.digest, was = begin_import.was,
      lauf = begin_import.lauf, at = clock_timestamp(), lebt_am = clock_timestamp()
    where i.id = held.id;
    stand := 'neu';
    return;
  end if;
  stand := case when held.digest = begin_import.digest then held.stand else 'anders' end;
  if stand = 'fertig' then answer := held.answer; end if;
end $$;
select rights.define('accounts.begin_import(text, text, text, uuid)');
grant execute on function accounts.begin_import(text, text, text, uuid) to nutzer;

-- Definer: as above. In the transaction of the import: keeps what it answers. Another run has taken it over
-- if nothing is found; then this one must not stand.
create or replace function accounts.keep_import(id bigint, lauf uuid, answer text)
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update accounts.kept_import i set stand = 'fertig', fortschritt = 100, answer = keep_import.answer
  where i.id = keep_import.id
    and i.user_id = rights.user_id()
    and i.lauf = keep_import.lauf
    and i.stand = 'laeuft';
  if not found then
    raise sqlstate 'PT409' using message = 'another run does this import', hint = 'import_uebernommen';
  end if;
end $$;
select rights.define('accounts.keep_import(bigint, uuid, text)');
grant execute on function accounts.keep_import(bigint, uuid, text) to nutzer, forst_dokument;

-- Definer: as above. Nothing was imported, and this is why; the key may be used again.
create or replace function accounts.fail_import(id bigint, lauf uuid, answer text)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.kept_import i set stand = 'fehlgeschlagen', answer = fail_import.answer
  where i.id = fail_import.id
    and i.user_id = rights.user_id()
    and i.lauf = fail_import.lauf
    and i.stand = 'laeuft'
$$;
select rights.define('accounts.fail_import(bigint, uuid, text)');
grant execute on function accounts.fail_import(bigint, uuid, text) to nutzer;

-- Definer: as above. The server is at work on it.
create or replace function accounts.note_import(id bigint, lauf uuid, fortschritt integer)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.kept_import i set lebt_am = clock_timestamp(), fortschritt = note_import.fortschritt
  where i.id = note_import.id
    and i.user_id = rights.user_id()
    and i.lauf = note_import.lauf
    and i.stand = 'laeuft'
$$;
select rights.define('accounts.note_import(bigint, uuid, integer)');
grant execute on function accounts.note_import(bigint, uuid, integer) to nutzer;

-- Definer: as above. How one's own import is going; a program sees those of its own key. `verlassen`:
-- its server has ended.
create or replace function accounts.read_import(id bigint, was text)
  returns table (stand text, fortschritt integer, answer text)
  language sql stable set search_path = pg_catalog as $$
  select
    case
      when i.stand = 'laeuft' and i.lebt_am < clock_timestamp() - interval '1 minute' then 'verlassen'
      else i.stand
    end,
    i.fortschritt::integer, i.answer
  from accounts.kept_import i
  where i.id = read_import.id
    and i.was = read_import.was
    and i.user_id = rights.user_id()
    and i.zugang_id is not distinct from (rights.claims() ->> 'key')::bigint
$$;
select rights.define('accounts.read_import(bigint, text)');
grant execute on function accounts.read_import(bigint, text) to nutzer;

-- When a customer's data are deleted: answers to earlier writes, anybody's, may contain anything of them. The
-- keys stay, so that a write that is sent again is not done again; of an import its counts. What this
-- transaction keeps itself stays. Nobody is waited for: rows are only held by those who remove or empty them.
create or replace function accounts.empty_answers()
  returns void language plpgsql set search_path = pg_catalog as $$
begin
  update accounts.kept_answer a set status = null, headers = '{}', body = null
  where (a.user_id, a.key) in (
    select k.user_id, k.key
    from accounts.kept_answer k
    where k.at < now() and (k.status is not null or k.body is not null or k.headers <> '{}')
    for update skip locked
  );
  update accounts.kept_import i set answer = jsonb_build_object(
    'result', jsonb_build_object('zahlen', coalesce(i.answer::jsonb #> '{result,zahlen}', '{}'))
  )::text
  where i.id in (select k.id from accounts.kept_import k where k.stand = 'fertig' for update skip locked);
  -- Doing a failed one again answers once more why it failed.
  delete from accounts.kept_import i
  where i.id in (
    select k.id
    from accounts.kept_import k
    where k.stand = 'fehlgeschlagen' for update skip locked
  );
end $$;
grant execute on function accounts.empty_answers() to forst_definer;
