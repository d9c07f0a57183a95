import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { isOnPostgres } from '../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { BUNDLE } from './bundle-server.ts'

/** The executable on SQLite also where tests run on PostgreSQL: for tests of SQLite's own files. */
export const SQLITE_BIN = join(BUNDLE, 'bin.js')

const BIN = isOnPostgres ? join(BUNDLE, 'bin-on-postgres.js') : SQLITE_BIN

/** The cache spares each process the compilation of what others have loaded. */
const SHARED = Object.fromEntries(
  [
    'NODE_COMPILE_CACHE',
    'DRAGOMAN_TEST_DATABASE',
    'DRAGOMAN_TEST_DATABASE_URL',
    'DRAGOMAN_TEST_DATABASES',
  ].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
)

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/**
 * Runs the executable as its own process, with only the given environment. `limit` is a shell command to run first,
 * such as `ulimit -f 1000`. `program` is another program that reports when it is ready.
 */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  limit = ':',
  program = BIN,
) {
  const command = [`${limit}; exec "$0" "$@"`, process.execPath, program, ...args]
  const child = spawn('sh', ['-c', ...command], {
    env: { ...SHARED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  const ready = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
    const [, url] = /dragoman ready (\S+)/.exec(output.stdout) ?? []
    if (url !== undefined) ready.resolve(url)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      ready.reject(new Error(`It ended before it was ready: ${output.stderr}`))
      resolve({ code, ...output })
    })
  })
  // Whoever only waits for the end does not ask for it.
  ready.promise.catch(() => undefined)
  return {
    pid: child.pid,
    /** The address, once it serves. */
    ready: ready.promise,
    ended,
    /** What it has printed so far. */
    output: output as Readonly<typeof output>,
    signal: (name: NodeJS.Signals): boolean => child.kill(name),
    kill: (): boolean => child.kill('SIGKILL'),
    stop: (): Promise<Ended> => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
