-- Answers to writes, kept for a day under a key of the caller's; see docs/decisions/kept-answers.md. Closed
-- to every role: the two functions below are called by the server around the write, in its transaction.

select rights.protect('accounts.kept_answer');
grant select, insert, update, delete on accounts.kept_answer to forst_definer;

-- Under what it is kept: keys of programs do not share a person's keys, nor each other's.
create or replace function accounts.answer_key(key text)
  returns text language sql stable set search_path = pg_catalog
  return case
    when rights.claims() ? 'key' then
      encode(sha256(convert_to(concat_ws(' ', rights.claims() ->> 'key', answer_key.key), 'UTF8')), 'hex')
    else answer_key.key
  end;
grant execute on function accounts.answer_key(text) to forst_definer;

-- Definer: the table is closed to nutzer. Takes a key for the write that follows, or says how it was
-- answered.
-- Waits for a transaction that has the same key. Callers whom the product does not know keep nothing.
-- Keys are kept for a day, up to 20,000 of a person, and 2,000 more that only the person's own sign-in takes:
-- a program that writes without end leaves its owner able to work. The answers of the newest 500 stay. A key
-- is never forgotten earlier: its write would be done again.
create or replace function accounts.take_key(
  key text, digest text, out repeated boolean, out same boolean, out status integer, out headers jsonb,
  out body text
) language plpgsql set search_path = pg_catalog as $$
declare me bigint := rights.user_id();
begin
  repeated := false;
  if me is null then return; end if;
  -- The holder of a row, another of these or accounts.empty_answers, may wait for what this transaction
  -- holds.
  delete from accounts.kept_answer a
  where (a.user_id, a.key) in (
    select o.user_id, o.key
    from accounts.kept_answer o
    where o.user_id = me and o.at < clock_timestamp() - interval '1 day' for update skip locked
  );
  -- Each write makes one answer too many; more than a hundred are never left over by those that ran together.
  update accounts.kept_answer a set status = null, headers = '{}', body = null
  where (a.user_id, a.key) in (
    select o.user_id, o.key
    from accounts.kept_answer o
    where o.user_id = me
      and (o.status is not null or o.body is not null or o.headers <> '{}')
      and o.at <= (
        select k.at
        from accounts.kept_answer k
        where k.user_id = me
        order by k.at desc offset 499 limit 1
      )
      and o.at >= coalesce((
        select k.at
        from accounts.kept_answer k
        where k.user_id = me
        order by k.at desc offset 600 limit 1
      ), '-infinity') for update skip locked
  );
  insert into accounts.kept_answer (user_id, key, digest)
  values (me, accounts.answer_key(take_key.key), take_key.digest)
  on conflict do nothing;
  if found then
    if exists (
      select from accounts.kept_answer k
      where k.user_id = me offset case when rights.claims() ? 'key' then 20000 else 22000 end
    ) then
      raise sqlstate 'PT429'
        using message = 'too many writes with a key within a day', hint = 'too_many_keys';
    end if;
    return;
  end if;
  select true, a.digest = take_key.digest, a.status, a.headers, a.body
  into repeated, same, status, headers, body
  from accounts.kept_answer a
  where a.user_id = me and a.key = accounts.answer_key(take_key.key);
end $$;
select rights.define('accounts.take_key(text, text)');
grant execute on function accounts.take_key(text, text) to nutzer;

-- Definer: as above. Keeps the answer of the write that has just been done under the key.
create or replace function accounts.keep_answer(key text, status integer, headers jsonb, body text)
  returns void language sql set search_path = pg_catalog as $$
  update accounts.kept_answer a set
    status = case when octet_length(keep_answer.body) > 16384 then null else keep_answer.status end,
    headers = keep_answer.headers,
    body = case when octet_length(keep_answer.body) > 16384 then null else keep_answer.body end
  where a.user_id = rights.user_id() and a.key = accounts.answer_key(keep_answer.key)
$$;
select rights.define('accounts.keep_answer(text, integer, jsonb, text)');
grant execute on function accounts.keep_answer(text, integer, jsonb, text) to nutzer;
