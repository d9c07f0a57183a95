import { Worker } from 'node:worker_threads'

import { ServiceError } from '../../errors.ts'
import type { PageAnswer, PageRequest } from './page-worker.ts'
import type { PagePosting } from './posting-page.ts'
import { unreadable } from './unreadable.ts'

type ReadPage = (content: string, url: URL, withinMs?: number) => Promise<PagePosting>

/** A page of the usual kind takes a few hundredths of this. */
const WITHIN_MS = 10_000
/**
 * The last resort, for V8 may end the whole process where one step goes far past it. What is read of a page (page-markup.ts) is bounded
 * so that no page that we know needs half of this.
 */
const MOST_MEGABYTES = 512
/** Pages that wait, or are being read: how many at most, and how many characters they may have together. */
const MOST_PAGES = 32
const MOST_CHARACTERS = 64_000_000

/**
 * Reads pages on a thread of its own, one at a time, so that no page holds up a stream. The thread is started for the first page and
 * kept; a page that takes too much time or memory ends it, and the next page gets a new one.
 */
function pageReader(): ReadPage {
  let thread: PageThread | undefined
  let last: Promise<unknown> = Promise.resolve()
  let pages = 0
  let characters = 0

  const read = (request: PageRequest, withinMs: number): Promise<PageAnswer> => {
    if (!thread || thread.ended) thread = pageThread()
    return thread.read(request, withinMs)
  }
  return async (content, url, withinMs = WITHIN_MS) => {
    if (pages >= MOST_PAGES || characters + content.length > MOST_CHARACTERS) {
      throw new ServiceError('unavailable', 'Too many pages are waiting to be read.', { retryAfter: 5 })
    }
    pages += 1
    characters += content.length
    const turn = last.then(() => read({ content, url: url.href }, withinMs))
    last = turn.catch(() => undefined)
    try {
      return postingOf(await turn)
    } finally {
      pages -= 1
      characters -= content.length
    }
  }
}

/** Reads the posting on a page. @throws ServiceError `invalid-request`, with the reason; `unavailable` if too many wait already */
export const readPage: ReadPage = pageReader()

function postingOf(answer: PageAnswer): PagePosting {
  if ('posting' in answer) return answer.posting
  const { code, message } = answer.error
  throw code ? new ServiceError(code, message) : new Error(message)
}

interface PageThread {
  readonly ended: boolean
  /** One page at a time. It is answered or refused, whatever becomes of the thread. */
  read(request: PageRequest, withinMs: number): Promise<PageAnswer>
}

function pageThread(): PageThread {
  const source = import.meta.url.endsWith('.ts') ? './page-worker.ts' : './page-worker.js'
  // Without the parent's flags: a test runner's loaders are not for this thread.
  const worker = new Worker(new URL(source, import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  worker.unref()
  let asked: PromiseWithResolvers<PageAnswer> | undefined
  let ended = false

  const end = (reason: Error): void => {
    ended = true
    asked?.reject(reason)
  }
  worker.on('message', (answer: PageAnswer) => asked?.resolve(answer))
  worker.on('error', (error) => end(isOutOfMemory(error) ? unreadable('it takes too much memory') : error))
  worker.on('exit', () => end(new Error('The thread that reads pages has ended.')))

  return {
    get ended() {
      return ended
    },
    async read(request, withinMs) {
      asked = Promise.withResolvers<PageAnswer>()
      const tooLong = setTimeout(() => {
        end(unreadable('it takes too long to read'))
        void worker.terminate()
      }, withinMs)
      // While it reads, and only then, it keeps the process alive.
      worker.ref()
      try {
        worker.postMessage(request)
        return await asked.promise
      } finally {
        clearTimeout(tooLong)
        worker.unref()
      }
    },
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
