import { openServer, type Server } from '@dragoman/server'

export const dynamic = 'force-dynamic'

/** `next dev` reloads this file at each change. The server stays the one that was opened first. */
const cache = globalThis as { dragoman?: Promise<Server> }

export async function POST(request: Request): Promise<Response> {
  cache.dragoman ??= openServer([], process.env)
  const { fetch } = await cache.dragoman
  return fetch(request)
}
