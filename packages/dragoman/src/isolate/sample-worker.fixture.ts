import process from 'node:process'

import { serveWorker } from './isolated-worker.ts'

/** A thread that takes its time to be ready, as one with a large module does on a busy machine. */
const READY_AFTER_MS = 1500

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READY_AFTER_MS)
let requests = 0
serveWorker<string, string>((text) => {
  requests += 1
  while (text === 'for ever');
  const all: number[] = []
  while (text === 'more and more') all.push(all.length)
  if (text === 'words of words') return Array.from({ length: 60_000 }, (_, nth) => `word ${nth}`) as never
  if (text === 'where') return String(process.pid)
  return text === 'how often' ? String(requests) : text.toUpperCase()
})
