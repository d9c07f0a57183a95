import { openWorkerSession } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import type { PlainAnswer, PlainRequest } from './plain-worker.ts'
import type { SearchArea, Hit, LinePattern, Searcher } from './searcher.ts'

/** It answers ten times a second, unless one line takes it longer, in ms. */
const SLOW_MS = 5000
const MEGABYTES = 512

/** Searches without ripgrep, on a thread of its own for each search. */
export function plainSearcher(): Searcher {
  return {
    isExact: true,
    files: (ground, signal) => search<string>({ ground }, signal),
    lines: (ground, lines, signal) => search<Hit>({ ground, lines }, signal),
  }
}

async function* search<Item extends string | Hit>(
  request: { readonly ground: SearchArea; readonly lines?: LinePattern },
  signal: AbortSignal,
): AsyncGenerator<Item> {
  using thread = openWorkerSession<PlainRequest, PlainAnswer>(
    {
      module: new URL('./plain-worker', import.meta.url),
      limits: { megabytes: MEGABYTES },
      refusals: {
        slow: () => new ServiceError('timed-out', 'The pattern takes too long on a line.'),
        large: () => new ServiceError('timed-out', 'The pattern takes too much memory on a line.'),
      },
    },
    signal,
  )
  for (let next: PlainRequest = request; ; next = 'go-on') {
    const answer = await thread.ask(next, SLOW_MS)
    yield* answer.found as readonly Item[]
    if (answer.isAll) return
  }
}
