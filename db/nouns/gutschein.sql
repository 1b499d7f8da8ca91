-- Vouchers. Only the provider's forest admins see, make and remove them; the API has no call that edits one,
-- so no update is granted.

select rechte.protect('app.gutschein');
grant select, delete, insert (rabatt_abo, rabatt_kawm, expire_date, laufzeit) on app.gutschein to nutzer;
create policy admin on app.gutschein to nutzer
  using ((select rechte.has_role('ogf_admin')))
  with check ((select rechte.has_role('ogf_admin')));
-- What was redeemed is part of a contract and stays.
create policy keep_redeemed on app.gutschein as restrictive for delete to nutzer
  using (eingeloest_am is null);
select rechte.watch('app.gutschein', 'id', false);

-- A voucher that has expired before it exists is a slip of the hand. Not a check constraint: what was valid
-- once must stay storable.
create or replace function rechte.check_gutschein()
  returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.expire_date <= current_date then
    raise check_violation
      using message = 'expire_date must be in the future', hint = 'future', column = 'expire_date';
  end if;
  new.angelegt_von := (rechte.ich()).name;
  return new;
end $$;
revoke execute on function rechte.check_gutschein() from public;
grant execute on function rechte.check_gutschein() to nutzer;
create or replace trigger a_future before insert on app.gutschein
  for each row when (current_user = 'nutzer') execute function rechte.check_gutschein();

-- Definer: digests are a closed table. The code of a voucher, made and answered once and never again: 20
-- signs of 32, that is 100 bits.
-- Without I, L, O and U, which are misread.
create or replace function app.a_issue_gutschein_code(id bigint)
  returns text language plpgsql set search_path = pg_catalog as $$
declare
  random bytea := sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
  signs constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  code text;
begin
  perform rechte.refuse_unless(
    rechte.has_role('ogf_admin')
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
  insert into rechte.gutschein_code (gutschein_id, digest)
  values (a_issue_gutschein_code.id, rechte.code_digest(code));
  return code;
end $$;
