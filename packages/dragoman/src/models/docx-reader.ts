import type { ChildProcess } from 'node:child_process'

import { fairQueue, raceAbort } from '../async/index.ts'
import { startProcess } from '../start-worker.ts'

/** What the process makes of a document. No words: it is none, or it is too large. */
type DocxAnswer = { readonly words: string | undefined }

/** Of the process's heap. A document of 8 MB of XML needs half of it. */
const MEGABYTES = 96
/** A document that takes the longest needs a second. The rest is for the start of the process on a busy machine. */
const TIMEOUT_MS = 20_000
/** An idle process holds about 50 MB. */
const IDLE_TIMEOUT_MS = 60_000
/** Of all words that are remembered. */
const MAX_REMEMBERED_CHARACTERS = 8 * 1024 * 1024
/** Documents without words are remembered too. */
const MAX_REMEMBERED = 1000

/** A document, what it is remembered by, and who takes turns with others. */
export type DocxRequest = { readonly content: Uint8Array; readonly digest: string; readonly turn: string }

/**
 * Reads documents in a process of its own, one at a time. The promise rejects if the process ends or takes too long,
 * and with the reason of the signal.
 */
export type DocxReader = (request: DocxRequest, signal?: AbortSignal) => Promise<DocxAnswer>

/** `extract` gets each document whose words are not remembered. */
export function createDocxReader(
  extract: (content: Uint8Array) => Promise<DocxAnswer> = createExtractor(),
): DocxReader {
  const queue = fairQueue()
  const memory = createMemory()
  return async ({ content, digest, turn }, signal) => {
    const earlier = memory.get(digest)
    if (earlier) return earlier
    const reading = queue.run(turn, async () => {
      signal?.throwIfAborted()
      const meanwhile = memory.get(digest)
      if (meanwhile) return meanwhile
      const answer = await extract(content)
      memory.set(digest, answer)
      return answer
    })
    if (!signal) return reading
    return raceAbort(reading, signal, () => {
      throw signal.reason
    })
  }
}

/** Forgets what was not used for longest. */
function createMemory() {
  const answers = new Map<string, DocxAnswer>()
  let characters = 0
  const sizeOf = ({ words = '' }: DocxAnswer): number => words.length
  const remove = (digest: string): void => {
    const answer = answers.get(digest)
    if (answer && answers.delete(digest)) characters -= sizeOf(answer)
  }
  const add = (digest: string, answer: DocxAnswer): void => {
    answers.set(digest, answer)
    characters += sizeOf(answer)
  }
  return {
    get(digest: string): DocxAnswer | undefined {
      const answer = answers.get(digest)
      if (answer) {
        remove(digest)
        add(digest, answer)
      }
      return answer
    },
    set(digest: string, answer: DocxAnswer): void {
      remove(digest)
      add(digest, answer)
      for (const oldest of answers.keys()) {
        if (characters <= MAX_REMEMBERED_CHARACTERS && answers.size <= MAX_REMEMBERED) break
        remove(oldest)
      }
    },
  }
}

/** Starts the process at the first document. It ends once it has nothing to do, or when a document takes too long. */
export function createExtractor(): (content: Uint8Array) => Promise<DocxAnswer> {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  const forget = (ended: ChildProcess): void => {
    if (child === ended) child = undefined
  }
  const open = (): ChildProcess => {
    const started = startProcess(new URL('./docx-process', import.meta.url), [], MEGABYTES)
    started.once('exit', () => forget(started))
    // More than one may come: of the start, and of each message that it did not get.
    started.on('error', () => forget(started))
    return started
  }
  return async (content) => {
    clearTimeout(idle)
    child ??= open()
    const current = child
    try {
      return await askProcess(current, content)
    } finally {
      idle = setTimeout(() => {
        forget(current)
        current.kill('SIGKILL')
      }, IDLE_TIMEOUT_MS).unref()
    }
  }
}

/** It keeps the server's process alive only while it works. */
async function askProcess(child: ChildProcess, content: Uint8Array): Promise<DocxAnswer> {
  const answer = Promise.withResolvers<DocxAnswer>()
  const fail = (): void => answer.reject(new Error('The process that reads documents has ended.'))
  child.ref()
  child.channel?.ref()
  child.once('message', answer.resolve as (message: unknown) => void)
  child.once('exit', fail)
  child.once('error', fail)
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  try {
    child.send(content)
    return await answer.promise
  } finally {
    clearTimeout(timer)
    child.removeListener('message', answer.resolve)
    child.removeListener('exit', fail)
    child.removeListener('error', fail)
    child.unref()
    child.channel?.unref()
  }
}
