import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 90_000,
    // The first start downloads 180 MB and builds the server.
    hookTimeout: 900_000,
    fileParallelism: false,
    reporters: ['verbose'],
    globalSetup: ['../test/postgres.setup.ts'],
  },
})
