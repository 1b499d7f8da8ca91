-- The day of execution of one transfer in a file for the bank; null in files of before, whose lines all have the
-- file's day.
alter table app.zahlposten add column tag date;
