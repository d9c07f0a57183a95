import { useEffect, useRef, useState } from 'react'

import { RequestError } from '../api/request.ts'
import { serverUrl } from '../api/server-url.ts'

/** One piece of a stream: a frame as it came, or what happened to the connection. */
export type StreamLine =
  | { readonly kind: 'frame'; readonly id: string | undefined; readonly text: string; readonly bytes: number }
  | { readonly kind: 'cut' | 'resumed' | 'ended'; readonly after: string | undefined }
  | { readonly kind: 'error'; readonly message: string }

export type RawStream = {
  readonly lines: readonly StreamLine[]
  readonly bytes: number
  readonly isOpen: boolean
  readonly cut: () => void
  readonly resume: () => void
}

const DRAW_INTERVAL_MS = 50

/** Reads a run in one protocol, byte for byte as any client would get it. It can be cut, and resumed at its cursor. */
export function useRawStream(
  runId: string,
  protocol: { readonly name: string; readonly framing: string },
): RawStream {
  const { name, framing } = protocol
  const [lines, setLines] = useState<readonly StreamLine[]>([])
  const [attempt, setAttempt] = useState(0)
  const [isOpen, setOpen] = useState(true)
  const reading = useRef<AbortController>(undefined)
  const cursor = useRef<string>(undefined)
  useEffect(() => {
    const abort = new AbortController()
    reading.current = abort
    const pending: StreamLine[] = []
    const draw = (): void => {
      const news = pending.splice(0)
      if (news.length > 0) setLines((before) => [...before, ...news])
    }
    const timer = setInterval(draw, DRAW_INTERVAL_MS)
    if (attempt > 0) pending.push({ kind: 'resumed', after: cursor.current })
    setOpen(true)
    const onFrame = (frame: Extract<StreamLine, { kind: 'frame' }>): void => {
      cursor.current = frame.id ?? cursor.current
      pending.push(frame)
    }
    void read(`/v1/runs/${runId}/events?protocol=${name}&ids=1`, {
      signal: abort.signal,
      after: cursor.current,
      separator: framing === 'lines' ? '\n' : '\n\n',
      onFrame,
    }).then((outcome) => {
      pending.push(outcome === 'cut' ? { kind: 'cut', after: cursor.current } : outcome)
      draw()
      setOpen(false)
      return clearInterval(timer)
    })
    return () => {
      abort.abort()
      clearInterval(timer)
    }
  }, [runId, name, framing, attempt])
  return {
    lines,
    bytes: lines.reduce((sum, line) => sum + (line.kind === 'frame' ? line.bytes : 0), 0),
    isOpen,
    cut: () => reading.current?.abort(),
    resume: () => setAttempt((count) => count + 1),
  }
}

type ReadOptions = {
  readonly signal: AbortSignal
  readonly after: string | undefined
  readonly separator: string
  readonly onFrame: (frame: Extract<StreamLine, { kind: 'frame' }>) => void
}

async function read(url: string, options: ReadOptions): Promise<StreamLine | 'cut'> {
  const { signal, after, separator, onFrame } = options
  const utf8 = new TextEncoder()
  try {
    const headers = after === undefined ? {} : { 'last-event-id': after }
    const response = await fetch(serverUrl(url), { headers, signal })
    if (!response.ok || !response.body) return { kind: 'error', message: await response.text() }
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + text).split(separator)
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const [, id] = /^id: ?(.*)$/m.exec(frame) ?? []
        onFrame({ kind: 'frame', id, text: frame, bytes: utf8.encode(frame + separator).length })
      }
    }
    return { kind: 'ended', after: undefined }
  } catch (error) {
    if (signal.aborted) return 'cut'
    return { kind: 'error', message: error instanceof RequestError ? error.message : String(error) }
  }
}
