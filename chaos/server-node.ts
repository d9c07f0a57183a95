import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** A process of the tested server, which is started again and again on the same port. */
export interface ServerNode {
  readonly name: string
  /** Its URL while it serves. */
  readonly url: string | undefined
  /** Starts the process, with more environment. Resolves once it serves. @throws if it ends first */
  start(env?: Readonly<Record<string, string>>): Promise<void>
  /** Resolves after its exit, with the exit code, or undefined if a signal ended it. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | undefined>
  freeze(): void
  thaw(): void
  /** Sends a message and returns the reply. @throws if the process has ended */
  ask(): Promise<unknown>
}

export type NodeOptions = {
  readonly name: string
  readonly script: string
  /** Its arguments for a port; 0 at first. */
  readonly args: (port: number) => readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The file for its log, and a listener for each line. */
  readonly logFile: string
  readonly onLine: (line: string) => void
}

export function createServerNode({ name, script, args, env, logFile, onLine }: NodeOptions): ServerNode {
  let child: ChildProcess | undefined
  let url: string | undefined
  let port = 0
  const waitForExit = async (): Promise<number | undefined> => {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child?.exitCode ?? undefined
  }
  const signal = (which: NodeJS.Signals): void => void child?.kill(which)
  return {
    name,
    get url() {
      return url
    },
    async start(more) {
      const newChild = fork(script, args(port), {
        execArgv: ['--expose-gc'],
        env: { ...process.env, ...env, ...more },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      })
      child = newChild
      const log = createWriteStream(logFile, { flags: 'a' })
      let rest = ''
      newChild.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log.write(text)
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) onLine(line)
      })
      newChild.once('close', () => log.end())
      newChild.once('exit', () => {
        if (child === newChild) url = undefined
      })
      const ready = await nextMessage<{ url: string }>(newChild)
      url = ready.url
      port = Number(new URL(url).port)
    },
    async kill(which) {
      url = undefined
      signal(which)
      return waitForExit()
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async ask() {
      if (!child) throw new Error(`${name} has not begun.`)
      const answer = nextMessage(child)
      child.send('how are you')
      return answer
    },
  }
}

/** The next message of a process. @throws if the process has ended instead */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController()
  const exit = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`The server has ended (${String(code ?? signal)}).`)
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: over.signal }), exit])) as [T]
    return message
  } finally {
    over.abort()
    exit.catch(() => undefined)
  }
}
