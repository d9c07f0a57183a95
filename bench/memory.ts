import { forkServer, type Server } from './fork-server.ts'
import { ask, join, read, inParallel } from './readers.ts'
import type { Report } from './server.ts'

/**
 * Measures the memory that a stalled reader costs: it takes only the head while its run streams 300,000 tokens. The
 * result is the growth of heap and buffers after a collection, compared with a reader that takes everything. Socket
 * buffers of the kernel are not included.
 */
export async function measureStalledReader(): Promise<string> {
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

/** Measures the memory of a reader of a silent run, with everything that the process holds for it. */
export async function measureIdleReaders(): Promise<string> {
  const readers = 10_000
  const runs = 10
  const server = await forkServer('spine', { TOKENS: 1, GATE: 1 })
  const answers = await inParallel(runs, () => ask(server.url))
  const names = answers.map(({ headers }) => String(headers['x-run-id']))
  await inParallel(20, () => join(server.url, names[0] ?? ''))
  const before = await server.report()
  const readerSockets = []
  for (let turn = 0; turn < readers / 100; turn++) {
    readerSockets.push(...(await inParallel(100, () => join(server.url, names[turn % runs] ?? ''))))
  }
  const after = await server.report()
  server.open()
  for (const each of [...answers, ...readerSockets]) each.destroy()
  await server.end()
  const each = (bytes: number): string => `${(bytes / readers / 1024).toFixed(1)} KB`
  const heap = each(after.held - before.held)
  return `${readers} idle readers: ${each(after.rss - before.rss)} each (RSS), ${heap} of it heap and buffers`
}

/** Measures what readers of a silent run leave behind after they disconnect. */
export async function measureDisconnectedReaders(): Promise<string> {
  const count = 10_000
  const server = await forkServer('spine', { TOKENS: 1, GATE: 1 })
  const answers = await ask(server.url)
  const name = String(answers.headers['x-run-id'])
  const come = async (times: number): Promise<void> => {
    for (let turn = 0; turn < times / 100; turn++) {
      const came = await inParallel(100, () => join(server.url, name))
      for (const each of came) each.destroy()
    }
  }
  // The first round grows the heap to its working size.
  await come(count)
  const before = await settleMemory(server)
  await come(count)
  const after = await settleMemory(server)
  server.open()
  answers.destroy()
  await server.end()
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
  return (
    `${count} readers who came and were cut off: heap and buffers ${mb(before.held)}, then ${mb(after.held)}; ` +
    `RSS ${mb(before.rss)}, then ${mb(after.rss)}; open handles ${before.handles}, then ${after.handles}`
  )
}

/** Waits until closed connections are released. */
async function settleMemory(server: Server): Promise<Report> {
  for (let last = Infinity; ;) {
    const report = await server.report()
    if (report.handles >= last) return report
    last = report.handles
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Polls the thread, which shows its live run without reading its log. */
async function ended(url: string, conversation: string): Promise<void> {
  for (;;) {
    const { live } = (await (await fetch(`${url}/v1/threads/${conversation}`)).json()) as {
      live: object | null
    }
    if (!live) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
