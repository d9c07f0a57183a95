import { spawn } from 'node:child_process'
import { join } from 'node:path'

const BIN = join(import.meta.dirname, '../../apps/server/src/bin.ts')

/** Spares each process the compilation of what others have loaded. */
const CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

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
    env: { ...CACHE, ...env },
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
    /** The address, once it serves. */
    ready: ready.promise,
    ended,
    signal: (name: NodeJS.Signals): boolean => child.kill(name),
    kill: (): boolean => child.kill('SIGKILL'),
    stop: (): Promise<Ended> => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
