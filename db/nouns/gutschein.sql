-- Vouchers. Only the provider's forest admins see, create and delete them. The API has no call to edit one,
-- so update is not granted.

select rights.protect('app.gutschein');
grant select, delete, insert (rabatt_abo, rabatt_kawm, expire_date, laufzeit) on app.gutschein to nutzer;
create policy admin on app.gutschein to nutzer
  using ((select rights.has_role('ogf_admin')))
  with check ((select rights.has_role('ogf_admin')));
-- A redeemed voucher is part of a contract and stays.
create policy keep_redeemed on app.gutschein as restrictive for delete to nutzer
  using (eingeloest_am is null);
select history.watch('app.gutschein', 'id', false);

-- Rules of new vouchers beyond the limits of their columns. domain/gutschein.ts has the same ones; both are
-- tested with domain/gutschein.cases.json. Not check constraints: one that has expired must remain storable.
create or replace function abo.check_gutschein()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform checks.check_value(new.expire_date > checks.today(), 'expire_date', 'zukunft');
  perform checks.check_value(new.expire_date <= '2100-12-31', 'expire_date', 'datum');
  perform checks.check_value(new.rabatt_abo > 0 or new.rabatt_kawm > 0, 'rabatt_abo', 'kein_rabatt');
  new.angelegt_von := (rights.caller()).name;
  return new;
end $$;
grant execute on function abo.check_gutschein() to nutzer;
create or replace trigger a_future before insert on app.gutschein
  for each row when (current_user in ('nutzer', 'programm')) execute function abo.check_gutschein();

-- Definer: digests are closed to nutzer. Creates a voucher's code and returns it, once and never again: 20
-- characters out of 32, which makes 100 bits.
-- Without I, L, O and U, which are easily misread.
create or replace function app.a_issue_gutschein_code(id bigint)
  returns text language plpgsql set search_path = pg_catalog as $$
declare
  random bytea := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
  signs constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  code text;
begin
  perform rights.refuse_unless(
    rights.has_role('ogf_admin')
    and exists (select from app.gutschein g where g.id = a_issue_gutschein_code.id)
  );
  update app.gutschein g set code_ausgegeben_am = now()
  where g.id = a_issue_gutschein_code.id and g.code_ausgegeben_am is null;
  if not found then
    raise sqlstate 'PT409' using message = 'the code has been shown already', hint = 'code_gezeigt';
  end if;
  select string_agg(
    substr(signs, (get_byte(random, nr) & 31) + 1, 1) || case when nr in (4, 9, 14) then '-' else '' end,
    '' order by nr
  ) into code
  from generate_series(0, 19) nr;
  insert into abo.gutschein_code (gutschein_id, digest)
  values (a_issue_gutschein_code.id, abo.code_digest(code));
  return code;
end $$;
select rights.define('app.a_issue_gutschein_code(bigint)');
grant execute on function app.a_issue_gutschein_code(bigint) to nutzer;
