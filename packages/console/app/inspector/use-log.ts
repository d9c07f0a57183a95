import type { LogEntry } from '@dragoman/client'
import { useEffect, useState } from 'react'
import { client } from '../api/client.ts'

const DRAW_INTERVAL_MS = 50

/** The entries of a run's log, as they are written. */
export function useLog(runId: string): readonly LogEntry[] {
  const [log, setLog] = useState<readonly LogEntry[]>([])
  useEffect(() => {
    const abort = new AbortController()
    const pending: LogEntry[] = []
    const draw = (): void => {
      const news = pending.splice(0)
      if (news.length > 0) setLog((before) => [...before, ...news])
    }
    const timer = setInterval(draw, DRAW_INTERVAL_MS)
    void collect(runId, { signal: abort.signal, into: pending }).finally(() => {
      clearInterval(timer)
      if (!abort.signal.aborted) draw()
    })
    return () => {
      abort.abort()
      clearInterval(timer)
    }
  }, [runId])
  return log
}

async function collect(
  runId: string,
  { signal, into }: { readonly signal: AbortSignal; readonly into: LogEntry[] },
): Promise<void> {
  try {
    for await (const entry of client.follow(runId, { signal })) into.push(entry)
  } catch {
    // The run's own request shows why it cannot be read.
  }
}
