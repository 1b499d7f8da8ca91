import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 120_000,
    // The first run downloads 55 MB; then all files go through one Java process.
    hookTimeout: 900_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
})
