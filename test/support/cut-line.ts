import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How many bytes of its body an answer is let through before its line is cut; -1: nothing, not even its headers. */
export type Cut = number

/** A line to a server, which is cut as networks do it: in the middle of whatever is under way. */
export type CutLine = AsyncDisposable & {
  readonly url: string
  /** How many connections there have been. */
  readonly connections: number
  /** Leads somewhere else from now on; to nobody where that is undefined. */
  lead(to: string | undefined): void
  /** Cuts all that is open. */
  cut(): void
}

/** Cuts its first connections, one after the other, as `cuts` says; further ones hold. */
export async function cutLine(to: string, cuts: readonly Cut[] = []): Promise<CutLine> {
  let target: string | undefined = to
  let connections = 0
  const open = new Set<Socket>()
  const listener = createServer((reader) => {
    const cut = cuts[connections]
    connections += 1
    reader.on('error', () => reader.destroy())
    if (target === undefined) return void reader.destroy()
    open.add(reader)
    const server = connect(Number(new URL(target).port), '127.0.0.1')
    reader.pipe(server)
    server.on('error', () => reader.destroy())
    server.on('close', () => reader.destroy())
    reader.on('close', () => {
      open.delete(reader)
      server.destroy()
    })
    if (cut === undefined) server.pipe(reader)
    else letThrough(server, reader, cut)
  })
  listener.listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    lead(elsewhere) {
      target = elsewhere
    },
    cut,
    async [Symbol.asyncDispose]() {
      listener.close()
      cut()
    },
  }
}

function letThrough(server: Socket, reader: Socket, cut: Cut): void {
  let answer = Buffer.alloc(0)
  let sentBytes = 0
  server.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk])
    const body = answer.indexOf('\r\n\r\n') + 4
    const end = cut < 0 ? 0 : body < 4 ? answer.length : Math.min(body + cut, answer.length)
    const isOver = cut < 0 || (body >= 4 && answer.length >= body + cut)
    reader.write(answer.subarray(sentBytes, end), () => {
      if (isOver) reader.destroy()
    })
    sentBytes = end
    if (isOver) server.destroy()
  })
}
