import type { Json } from '../events/index.ts'

/** At most ten a second, of at most 4 KB each. */
const PAUSE_MS = 100
const MOST_BYTES = 4096

export type Progress = { delta?: string; output?: Json }

/** Lets a tool's progress through at a bearable pace: what comes in between is joined, the newest output wins. */
export function progressMeter(write: (news: Progress) => void): { add(news: Progress): void; end(): void } {
  let gathered: Progress | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    if (gathered) write(gathered)
    timer = gathered && setTimeout(flush, PAUSE_MS)
    gathered = undefined
  }
  return {
    add(news) {
      gathered = join(gathered ?? {}, news)
      if (gathered && !timer) flush()
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      if (gathered) write(gathered)
      gathered = undefined
    },
  }
}

/** Of too long a text its end is kept; too large an output is left out. */
function join(before: Progress, news: Progress): Progress | undefined {
  const delta = ((before.delta ?? '') + (news.delta ?? '')).slice(-MOST_BYTES / 4)
  const fits = news.output !== undefined && JSON.stringify(news.output).length <= MOST_BYTES / 2
  const output = fits ? news.output : before.output
  if (delta === '' && output === undefined) return undefined
  return { ...(delta !== '' && { delta }), ...(output !== undefined && { output }) }
}
