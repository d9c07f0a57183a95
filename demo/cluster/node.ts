import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const BIN = join(import.meta.dirname, '../../apps/server/src/bin.ts')

/** One process of the server. After `kill` or `stop` it can be started again, at the same address. */
export type Node = {
  readonly name: string
  readonly url: () => string
  readonly start: () => Promise<void>
  /** With SIGKILL. */
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type NodeOptions = {
  /** 0 for a free one. */
  readonly port: number
  readonly home: string
  readonly databaseUrl: string
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export async function startNode(name: string, options: NodeOptions): Promise<Node> {
  let { child, url } = await startProcess(options, options.port)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    name,
    url: () => url,
    async start() {
      ;({ child, url } = await startProcess(options, Number(new URL(url).port)))
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

type StartedProcess = { readonly child: ChildProcess; readonly url: string }

async function startProcess(
  { home, databaseUrl, flags = [], env = {} }: NodeOptions,
  port: number,
): Promise<StartedProcess> {
  const args = [BIN, '--host', '127.0.0.1', '--port', String(port), '--home', home, ...flags]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, found] = /dragoman ready (\S+)/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`A node ended with ${code} before it was ready.`)))
  })
  return { child, url }
}
