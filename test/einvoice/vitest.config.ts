import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 120_000,
    // The first run loads 55 MB and then all files go through one Java.
    hookTimeout: 900_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
})
