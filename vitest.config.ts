import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'chaos/**/*.test.ts'],
    // A process for each file: stores start worker threads of their own and some tests send signals.
    pool: 'forks',
    // Files wait for sockets and processes more than they work: one more than there are cores keeps them busy.
    maxWorkers: 1 + availableParallelism(),
    // Machines that run several things at once are slow; a test that hangs is stopped all the same.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // The offline model types like a person, to be watched. Tests need not wait for it.
    env: { DRAGOMAN_OFFLINE_PACE: '0' },
  },
})
