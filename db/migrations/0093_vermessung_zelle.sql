-- The survey counted by the squares of the web mercator grid, so that a tile of a low level need not read each
-- object. Rows are only added: what a change takes away is a row with negative numbers, so that people who
-- change the same customer's objects do not wait for each other. The night adds them up.
create table maps.vermessung_zelle (
  client_id bigint not null references app.kunde on delete cascade,
  -- Of the grid: 2^stufe squares in each direction, zx from the west, zy from the north.
  stufe smallint not null,
  zx integer not null,
  zy integer not null,
  -- true: all objects, and the next four are null; false: those alone of which the four are true.
  ganz boolean not null,
  art text,
  surveyed boolean,
  erfq text,
  qdt text,
  n integer not null,
  laenge_cm bigint not null,
  vermessen integer not null,
  vermutet integer not null,
  draenage integer not null,
  ausmuendung integer not null,
  schacht integer not null,
  schlucker integer not null,
  einlauf integer not null,
  -- Sums of the places, whole centimetres: they add up exactly, in any order.
  x_cm bigint not null,
  y_cm bigint not null,
  -- Since the customer's rows were last added up.
  neu boolean not null
);
create index vermessung_zelle_place on maps.vermessung_zelle (client_id, ganz, stufe, zx, zy);
create index vermessung_zelle_new on maps.vermessung_zelle (client_id) where neu;
