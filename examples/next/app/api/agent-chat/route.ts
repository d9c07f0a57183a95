import { openServer, type Server } from '@dragoman/server'

export const dynamic = 'force-dynamic'

/** `next dev` reloads this file at each change. The server stays the one that was opened first. */
const kept = globalThis as { dragoman?: Promise<Server> }

export async function POST(request: Request): Promise<Response> {
  kept.dragoman ??= openServer([], process.env)
  const { fetch } = await kept.dragoman
  return fetch(request)
}
