import { createHash, timingSafeEqual } from 'node:crypto'

import { createServer } from 'dragoman'

import { dice } from './agent.ts'

const token = process.env['AGENT_TOKEN']
const server = await createServer({
  agents: [dice],
  // Other machines need the token, as in the container. On this machine alone, none is needed.
  ...(token && {
    auth: ({ header }) => (isSame(header('authorization'), `Bearer ${token}`) ? { userId: 'me' } : undefined),
  }),
})
const port = Number(process.env['PORT'] ?? 3033)
console.log(`dragoman ready ${await server.listen({ port })}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close())

/** Compares in constant time. */
function isSame(configured: string | undefined, current: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(configured ?? ''), hash(current))
}
