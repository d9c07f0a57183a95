import { getRequestListener } from '@hono/node-server'
import { openServer } from '@dragoman/server'
import Fastify from 'fastify'

const dragoman = await openServer([], process.env)
const answer = getRequestListener(dragoman.fetch)

const app = Fastify({ logger: true, forceCloseConnections: true })
await app.register(async (part) => {
  // dragoman reads the body itself.
  part.removeAllContentTypeParsers()
  part.addContentTypeParser('*', (_request, _body, done) => done(null))
  part.all('/api/agent-chat', async (request, reply) => {
    reply.hijack()
    await answer(request.raw, reply.raw)
  })
})
app.addHook('onClose', dragoman.close)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void app.close())
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
