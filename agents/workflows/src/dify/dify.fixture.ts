import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer =
  | { readonly status: number; readonly json: object }
  | { readonly status: number; readonly endless: string }
  | { readonly frames: readonly object[]; readonly open?: true }

/** A server that answers as Dify does. `open`: it says no more, and does not end. */
export async function difyServer() {
  let next: Answer = { frames: [] }
  const requests: { path: string; key: string | undefined; body: Record<string, unknown> }[] = []
  const news = new Set<() => void>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>
      requests.push({ path: request.url ?? '', key: request.headers.authorization, body })
      for (const tell of news) tell()
      if (request.url?.endsWith('/stop')) return response.end('{"result":"success"}')
      if ('endless' in next) return response.writeHead(next.status).write(next.endless)
      if ('json' in next) {
        return response
          .writeHead(next.status, { 'content-type': 'application/json' })
          .end(JSON.stringify(next.json))
      }
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      for (const frame of next.frames) response.write(`data: ${JSON.stringify(frame)}\n\n`)
      return next.open ? undefined : response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: requests,
    answer: (answer: Answer): void => void (next = answer),
    /** Resolves after a request to a path with this ending. */
    askedAt: (end: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => void (requests.some(({ path }) => path.endsWith(end)) && resolve())
        news.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const task = { task_id: 't1' }
export const finished = (outputs: object | null, more: object = {}) => ({
  event: 'workflow_finished',
  ...task,
  data: { status: 'succeeded', outputs, ...more },
})
export const chunk = (text: string) => ({ event: 'text_chunk', ...task, data: { text } })
