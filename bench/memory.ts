import { forkServer, type Server } from './fork-server.ts'
import { ask, join, read, together } from './readers.ts'
import type { Report } from './server.ts'

/**
 * A reader that takes the head and then nothing, while its run says 300,000 tokens: by how much the memory that the server holds (heap
 * and buffers, after a collection) has grown at the run's end, against the same run with a reader that takes everything. What the
 * kernel's socket buffers hold is not in it.
 */
export async function stalledReader(): Promise<string> {
  const growth = async (stalls: boolean): Promise<number> => {
    const server = await forkServer('spine', { TOKENS: 300_000 })
    await read(ask(server.url))
    const { held: before } = await server.report()
    const stalled = stalls ? await ask(server.url) : undefined
    if (stalled) await ended(server.url, String(stalled.headers['x-conversation-id']))
    else await read(ask(server.url))
    const { held: after } = await server.report()
    stalled?.destroy()
    await server.end()
    return (after - before) / 2 ** 20
  }
  const [plain, stalled] = [await growth(false), await growth(true)]
  return `a stalled reader, 300,000 tokens: ${(stalled - plain).toFixed(1)} MB more than one that reads`
}

/** Readers of runs that say nothing: what each costs the server, with all that the process holds for it. */
export async function idleReaders(): Promise<string> {
  const readers = 10_000
  const runs = 10
  const server = await forkServer('spine', { TOKENS: 1, GATE: 1 })
  const answers = await together(runs, () => ask(server.url))
  const names = answers.map(({ headers }) => String(headers['x-run-id']))
  await together(20, () => join(server.url, names[0] ?? ''))
  const before = await server.report()
  const readerSockets = []
  for (let turn = 0; turn < readers / 100; turn++) {
    readerSockets.push(...(await together(100, () => join(server.url, names[turn % runs] ?? ''))))
  }
  const after = await server.report()
  server.open()
  for (const each of [...answers, ...readerSockets]) each.destroy()
  await server.end()
  const each = (bytes: number): string => `${(bytes / readers / 1024).toFixed(1)} KB`
  return `${readers} idle readers: ${each(after.rss - before.rss)} each (RSS), ${each(after.held - before.held)} of it heap and buffers`
}

/** Readers of a run that says nothing who come and are cut off: what they leave behind. */
export async function disconnectedReaders(): Promise<string> {
  const count = 10_000
  const server = await forkServer('spine', { TOKENS: 1, GATE: 1 })
  const answers = await ask(server.url)
  const name = String(answers.headers['x-run-id'])
  const come = async (times: number): Promise<void> => {
    for (let turn = 0; turn < times / 100; turn++) {
      const came = await together(100, () => join(server.url, name))
      for (const each of came) each.destroy()
    }
  }
  // A heap takes its size from what is asked of it at first.
  await come(count)
  const before = await settled(server)
  await come(count)
  const after = await settled(server)
  server.open()
  answers.destroy()
  await server.end()
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
  return (
    `${count} readers who came and were cut off: heap and buffers ${mb(before.held)}, then ${mb(after.held)}; ` +
    `RSS ${mb(before.rss)}, then ${mb(after.rss)}; open handles ${before.handles}, then ${after.handles}`
  )
}

/** Once those who have gone are seen to have gone. */
async function settled(server: Server): Promise<Report> {
  for (let last = Infinity; ;) {
    const report = await server.report()
    if (report.handles >= last) return report
    last = report.handles
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
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
