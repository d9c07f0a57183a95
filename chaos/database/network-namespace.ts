import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const COMMAND_TIMEOUT_MS = 10_000

/** A network namespace, and the link between it and the host. */
export interface NetworkNamespace extends AsyncDisposable {
  /** The host's address on the link. */
  readonly hostAddress: string
  readonly subnet: string
  /** Runs a script of this repository inside, with a channel for messages. */
  run(script: string, args: readonly string[]): ChildProcess
  /** Takes the interface inside away, or gives it back. It keeps its address. */
  setLink(state: 'up' | 'down'): Promise<void>
}

/** Whether this process may make one: decided by trying. */
export async function canOpenNamespace(): Promise<boolean> {
  try {
    const namespace = await openNetworkNamespace()
    await namespace[Symbol.asyncDispose]()
    return true
  } catch {
    return false
  }
}

/** @throws where a namespace cannot be made: not on Linux, not as root, or without `ip` */
export async function openNetworkNamespace(): Promise<NetworkNamespace> {
  const id = randomBytes(4).toString('hex')
  const name = `dragoman-${id}`
  // The name of an interface has at most 15 letters.
  const [outside, inside] = [`dgm${id}o`, `dgm${id}i`]
  const net = `10.${randomInt(100, 250)}.${randomInt(250)}`
  const setLink = (state: 'up' | 'down'): Promise<void> => ip('-n', name, 'link', 'set', inside, state)
  const remove = async (): Promise<void> => {
    // The other end goes with it. The kernel would remove both some time after the namespace.
    await ip('link', 'del', outside).catch(() => undefined)
    await ip('netns', 'del', name)
  }
  await ip('netns', 'add', name)
  try {
    await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name)
    await ip('addr', 'add', `${net}.1/30`, 'dev', outside)
    await ip('-n', name, 'addr', 'add', `${net}.2/30`, 'dev', inside)
    await ip('link', 'set', outside, 'up')
    await setLink('up')
  } catch (error) {
    await remove()
    throw error
  }
  return {
    hostAddress: `${net}.1`,
    subnet: `${net}.0/30`,
    // `ip` becomes the program: its process id and its channel are the script's.
    run: (script, args) =>
      spawn('ip', ['netns', 'exec', name, process.execPath, script, ...args], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    setLink,
    [Symbol.asyncDispose]: remove,
  }
}

async function ip(...args: string[]): Promise<void> {
  await execute('ip', args, { timeout: COMMAND_TIMEOUT_MS })
}
