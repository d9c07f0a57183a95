import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

import { SlowFirst } from './test/support/slow-first.ts'
import { UnstableTests } from './test/support/unstable-tests.ts'

// Tests start some thousand threads and processes from sources. Without a cache, each strips types and compiles its
// modules: half of what a start costs. All of them inherit the cache.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** Files that need a browser, other processes, a sandbox, many requests or minutes: see `npm run test:full`. */
const FULL_ONLY = [
  '**/{e2e,attacks}/**',
  '**/console-*.test.ts',
  'chaos/**',
  'packages/postgres/**',
  'apps/server/test/**',
  'agents/coding/src/{commands,search}/**',
]
/** A file or folder that is named runs in any case. */
const isNamed = process.argv.slice(2).some((word) => /^[^-].*[/.]/.test(word))
const hasAll = isNamed || Boolean(process.env['TEST_FULL'] ?? process.env['DRAGOMAN_TEST_DATABASE'])

export default defineConfig({
  test: {
    // `npm test -w agents/life` names a folder, from which these are seen.
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/template/**', '**/dist/**', ...(hasAll ? [] : FULL_ONLY)],
    // Processes: stores start worker threads of their own and some tests send signals.
    pool: 'forks',
    // Test files share a process that has loaded the modules: loading them again costs as much as the tests.
    isolate: false,
    globalSetup: [
      'test/support/compile-threads.ts',
      'test/support/bundle-server.ts',
      'test/support/test-databases.ts',
    ],
    setupFiles: ['test/support/seed.ts'],
    // Files wait for sockets and processes more than they work: one more than there are cores keeps them busy.
    maxWorkers: 1 + availableParallelism(),
    sequence: { sequencer: SlowFirst },
    reporters: ['default', new UnstableTests()],
    // The processes grow large: a bigger young generation is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // A machine may be several times slower than usual; a test that hangs is stopped all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // The demo model types like a person, to be watched. Tests need not wait for it.
    env: { DRAGOMAN_OFFLINE_PACE: '0' },
  },
})
