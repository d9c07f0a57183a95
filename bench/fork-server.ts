import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { nextMessage } from '../chaos/server-node.ts'
import type { Command, FinalReport, Report } from './server.ts'

/** A measured server in its own process, as `server.ts` defines it. */
export type Server = {
  readonly url: string
  /** Starts the measurement. */
  mark(): Promise<void>
  report(): Promise<Report>
  /** Starts the token streams that wait for it. */
  open(): void
  /** Ends the process at once. */
  kill(): Promise<void>
  /** Ends the server and returns the size of its data. */
  end(): Promise<FinalReport>
}

export async function forkServer(
  role: string,
  env: Readonly<Record<string, number | string>> = {},
): Promise<Server> {
  const texts = Object.entries(env).map(([name, value]) => [name, String(value)])
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    env: { ...process.env, ...Object.fromEntries(texts), ROLE: role },
    execArgv: ['--expose-gc'],
  })
  const { url } = await nextMessage<{ url: string }>(child)
  const ask = async <T>(what: Command): Promise<T> => {
    const answer = nextMessage<T>(child)
    child.send(what)
    return answer
  }
  return {
    url,
    mark: async () => void (await ask('mark')),
    report: () => ask<Report>('report'),
    open: () => void child.send('open' satisfies Command),
    async kill() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
    async end() {
      const exit = once(child, 'exit')
      const ended = await ask<FinalReport>('end')
      await exit
      return ended
    },
  }
}
