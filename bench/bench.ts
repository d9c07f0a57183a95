import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'

/**
 * What it costs, in one run on one machine. The server is a process of its own and reports on itself; the readers are here. Printed, not
 * asserted: a figure belongs to the machine that it was taken on.
 */

type Report = { readonly stallMs: number; readonly worstMs: number; readonly held: number }
type Server = {
  readonly url: string
  ask(what: 'report'): Promise<Report>
  begin(): void
  end(): Promise<void>
}

await stall()
await stalledReader()

/** 100 runs of 50 tokens a second each, a reader each: how long the server's event loop is held up. */
async function stall(): Promise<void> {
  const server = await start({ TOKENS: '400', PACE: '50' })
  server.begin()
  const began = performance.now()
  const read = await Promise.all(
    Array.from({ length: 100 }, (_none, index) => answer(server.url, `stall-${index}`)),
  )
  const seconds = (performance.now() - began) / 1000
  const { stallMs, worstMs } = await server.ask('report')
  const bytes = read.reduce((sum, each) => sum + each, 0)
  print(
    'event loop while 100 runs stream',
    `p99 ${stallMs.toFixed(1)} ms, worst ${worstMs.toFixed(1)} ms (target p99 <= 20 ms)`,
  )
  print(
    '',
    `${(40_000 / seconds).toFixed(0)} tokens/s over ${seconds.toFixed(1)} s, ${(bytes / 40_000).toFixed(0)} bytes/token on the wire`,
  )
  await server.end()
}

/**
 * A reader that takes the head and then nothing, while its run says 300,000 tokens: by how much the memory that the server holds (heap
 * and buffers, after a collection) has grown at the run's end, against the same run with a reader that takes everything. What the
 * kernel's socket buffers hold is not in it.
 */
async function stalledReader(): Promise<void> {
  const growth = async (stalls: boolean): Promise<number> => {
    const server = await start({ TOKENS: '300000', PACE: '0' })
    await answer(server.url, 'warm-up')
    const { held: before } = await server.ask('report')
    const stalled = stalls ? await open(server.url, 'chat') : undefined
    if (stalled) await ended(server.url, String(stalled.headers['x-conversation-id']))
    else await answer(server.url, 'chat')
    const { held: after } = await server.ask('report')
    stalled?.destroy()
    await server.end()
    return (after - before) / 2 ** 20
  }
  const [plain, stalled] = [await growth(false), await growth(true)]
  print(
    'stalled reader, 300,000 tokens',
    `${(stalled - plain).toFixed(1)} MB more than one that reads (target <= 1 MB)`,
  )
}

async function start(env: Record<string, string>): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc'],
  })
  const { url } = await message<{ url: string }>(child)
  return {
    url,
    begin: () => child.send('begin'),
    async ask(what) {
      child.send(what)
      return message<Report>(child)
    },
    async end() {
      child.send('end')
      await once(child, 'exit')
    },
  }
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [said] = (await once(child, 'message')) as [T]
  return said
}

function open(url: string, chat: string): Promise<IncomingMessage> {
  const body = {
    id: chat,
    trigger: 'submit-message',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked = request(
    `${url}/jobs/chat`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, agent: false },
    resolve,
  )
  asked.on('error', reject)
  asked.end(JSON.stringify(body))
  return promise
}

async function answer(url: string, chat: string): Promise<number> {
  let bytes = 0
  for await (const chunk of await open(url, chat)) bytes += (chunk as Buffer).length
  return bytes
}

/** Asks of the thread, which tells of its live run without reading its log. */
async function ended(url: string, conversation: string): Promise<void> {
  for (;;) {
    const { live } = (await (await fetch(`${url}/v1/threads/${conversation}`)).json()) as {
      live: object | null
    }
    if (!live) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(36)} ${figure}\n`)
}
