import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** One process of the server that is tested: begun over and over at the same place. */
export interface ServerNode {
  readonly name: string
  /** Where it serves: undefined while it does not. */
  readonly url: string | undefined
  /** Begins the process. Resolves once it serves. @throws where it ends first */
  start(): Promise<void>
  /** Resolves once it is gone, with its exit code, or undefined where a signal ended it. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | undefined>
  freeze(): void
  thaw(): void
  /** Asks it for something, and gives what it says. @throws where it is gone */
  ask(): Promise<unknown>
}

export type NodeOptions = {
  readonly name: string
  readonly script: string
  /** Its command line, where it is to listen on that port: 0 at first. */
  readonly args: (port: number) => readonly string[]
  /** Where its own log is kept, and who reads it along. */
  readonly logFile: string
  readonly onLine: (line: string) => void
}

export function createServerNode({ name, script, args, logFile, onLine }: NodeOptions): ServerNode {
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
    async start() {
      const newChild = fork(script, args(port), {
        execArgv: ['--expose-gc'],
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
      const said = await messageOf<{ url: string }>(newChild)
      url = said.url
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
      const answer = messageOf(child)
      child.send('how are you')
      return answer
    },
  }
}

/** @throws where the child is gone instead */
async function messageOf<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController()
  const exit = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`The server has ended (${String(code ?? signal)}).`)
  })
  try {
    const [said] = (await Promise.race([once(child, 'message', { signal: over.signal }), exit])) as [T]
    return said
  } finally {
    over.abort()
    exit.catch(() => undefined)
  }
}
