import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

// Tests start some thousand threads and processes from sources. Each would strip types and compile modules anew: half of what
// starting one costs. The cache is inherited by all of them.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

export default defineConfig({
  test: {
    // `npm test -w agents/life` names a folder, from which these are seen.
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/template/**', '**/dist/**'],
    // Processes: stores start worker threads of their own and some tests send signals.
    pool: 'forks',
    // One after the other in a process that has loaded its modules already: to load them anew cost as much as the tests do.
    isolate: false,
    globalSetup: ['test/support/compile-threads.ts'],
    setupFiles: ['test/support/seed.ts'],
    // Files wait for sockets and processes more than they work: one more than there are cores keeps them busy.
    maxWorkers: 1 + availableParallelism(),
    // A machine may be several times slower than usual; a test that hangs is stopped all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // The demo model types like a person, to be watched. Tests need not wait for it.
    env: { DRAGOMAN_OFFLINE_PACE: '0' },
  },
})
