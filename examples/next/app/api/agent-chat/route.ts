import { openDragoman, readConfig, type Dragoman } from 'dragoman'

export const dynamic = 'force-dynamic'

/** `next dev` reads this file anew at each change of it; the server stays the one that was opened. */
const kept = globalThis as { dragoman?: Promise<Dragoman> }

export async function POST(request: Request): Promise<Response> {
  kept.dragoman ??= openDragoman(readConfig([], process.env))
  const { fetch } = await kept.dragoman
  return fetch(request)
}
