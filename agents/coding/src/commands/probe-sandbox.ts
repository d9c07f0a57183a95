import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { spawnProgram, type Program } from './spawn-program.ts'

/** A call waits for two of them at most before it is decided whether it is asked about, which may take 10 s. */
const PROBE_TIMEOUT_MS = 4500
/** Enough to tell what is wrong, in characters. */
const MAX_REASON_LENGTH = 200

/** Runs nothing in a sandbox. Returns the first line of the error if that fails. */
export async function probeError({ args, ...program }: Program): Promise<string | undefined> {
  const words = [...args, '/bin/sh', '-c', ':']
  // With a low one, a busy machine would seem to have no sandbox.
  const priority = 'normal'
  const options = { cwd: '/', env: {}, detached: false, isControlled: false, priority } as const
  const child = spawnProgram({ ...program, args: words }, options)
  const timeout = setTimeout(() => child.kill('SIGKILL'), PROBE_TIMEOUT_MS)
  try {
    child.stdout?.resume()
    const [errors, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')])
    if (code === 0) return undefined
    const [line = ''] = errors.trim().split('\n')
    return line.replace(/^(?:bwrap|unshare): /, '').slice(0, MAX_REASON_LENGTH) || 'it did not answer'
  } catch {
    return 'it could not be started'
  } finally {
    clearTimeout(timeout)
  }
}
