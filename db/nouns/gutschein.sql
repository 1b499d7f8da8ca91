-- Vouchers. Only the provider's forest admins see, make and remove them; the API has no call that edits one, so no update is granted.

select rechte.protect('app.gutschein');
grant select, delete, insert (rabatt_abo, rabatt_kawm, expire_date, laufzeit) on app.gutschein to nutzer;
create policy admin on app.gutschein to nutzer using ((select rechte.has_role('ogf_admin'))) with check ((select rechte.has_role('ogf_admin')));
select rechte.watch('app.gutschein', 'id', false);

-- A voucher that has expired before it exists is a slip of the hand. Not a check constraint: what was valid once must stay storable.
create or replace function rechte.check_gutschein() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.expire_date <= current_date then
    raise check_violation using message = 'expire_date must be in the future', hint = 'future', column = 'expire_date';
  end if;
  return new;
end $$;
revoke execute on function rechte.check_gutschein() from public;
grant execute on function rechte.check_gutschein() to nutzer;
create or replace trigger a_future before insert on app.gutschein for each row when (current_user = 'nutzer') execute function rechte.check_gutschein();
