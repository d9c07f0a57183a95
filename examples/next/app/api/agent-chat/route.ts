import { openServer, type Server } from '@dragoman/server'

export const dynamic = 'force-dynamic'

/** `next dev` reads this file anew at each change of it; the server stays the one that was opened. */
const kept = globalThis as { dragoman?: Promise<Server> }

export async function POST(request: Request): Promise<Response> {
  kept.dragoman ??= openServer([], process.env)
  const { fetch } = await kept.dragoman
  return fetch(request)
}
