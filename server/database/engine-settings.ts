// PostgreSQL's start parameters inside PGlite: PGlite's own, but without the switch that turns syncs off.

const SWITCHES = ['--single', '-O', '-j']

const SETTINGS = {
  fsync: 'on',
  // fdatasync is a stub in PGlite's file layer; fsync is ours.
  wal_sync_method: 'fsync',
  search_path: 'public',
  timezone: 'UTC',
  exit_on_error: 'false',
  log_checkpoints: 'false',
  io_method: 'sync',
  // There are no other processes, and WebAssembly cannot generate machine code.
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
}

export const START_PARAMETERS = [
  ...SWITCHES,
  ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]
