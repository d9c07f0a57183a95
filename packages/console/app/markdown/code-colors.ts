import type { CSSProperties } from 'react'

export type CodeToken = { readonly content: string; readonly style: CSSProperties }
export type ColorRequest = { readonly code: string; readonly language: string }
type Lines = readonly (readonly CodeToken[])[]
type Job = ColorRequest & { readonly signal: AbortSignal; resolve(lines: Lines | undefined): void }

/** Longer code has no colors. */
const MAX_CHARACTERS = 20_000
/** The first code waits for the highlighter to load. Code that takes longer has no colors. */
const MAX_MS = 20_000

const jobs: Job[] = []
let worker: Worker | undefined
let isBusy = false

/**
 * The colored lines of code. A worker finds them, so that no code holds the page up. Undefined if the code is too long
 * or its language unknown, or if the browser has no workers.
 */
export function colorsOf(request: ColorRequest, signal: AbortSignal): Promise<Lines | undefined> {
  const { promise, resolve } = Promise.withResolvers<Lines | undefined>()
  if (typeof Worker === 'undefined' || request.code.length > MAX_CHARACTERS) resolve(undefined)
  else jobs.push({ ...request, signal, resolve })
  startNext()
  return promise
}

/** One at a time: what has been replaced while it waited costs nothing. */
function startNext(): void {
  if (isBusy) return
  const job = jobs.shift()
  if (!job) return
  if (job.signal.aborted) {
    job.resolve(undefined)
    return startNext()
  }
  isBusy = true
  worker ??= new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  const current = worker
  const ended = new AbortController()
  const end = (lines: Lines | undefined): void => {
    clearTimeout(timer)
    ended.abort()
    isBusy = false
    job.resolve(lines)
    startNext()
  }
  const fail = (): void => {
    current.terminate()
    worker = undefined
    end(undefined)
  }
  const timer = setTimeout(fail, MAX_MS)
  const { signal } = ended
  current.addEventListener('message', ({ data }: MessageEvent<Lines | undefined>) => end(data), { signal })
  current.addEventListener('error', fail, { signal })
  current.postMessage({ code: job.code, language: job.language })
}
