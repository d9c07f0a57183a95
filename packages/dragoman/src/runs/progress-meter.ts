import type { Json } from '../events/index.ts'

/** At most ten a second, of at most 4 KB each. */
const PAUSE_MS = 100
const MOST_BYTES = 4096

export type Progress = { delta?: string; output?: Json }

/** Lets a tool's progress through at a bearable pace: what comes in between is joined, the newest output wins. */
export function progressMeter(write: (news: Progress) => void): { add(news: Progress): void; end(): void } {
  let gathered: Progress | undefined
  let timer: NodeJS.Timeout | undefined
  let over = false

  const flush = (): void => {
    if (gathered) write(gathered)
    timer = gathered && setTimeout(flush, PAUSE_MS)
    gathered = undefined
  }
  return {
    add(news) {
      // A tool that was left behind may still tell: nobody hears it.
      if (over) return
      gathered = join(gathered ?? {}, news)
      if (gathered && !timer) flush()
    },
    end() {
      over = true
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
  const written = news.output === undefined ? undefined : JSON.stringify(news.output)
  const fits = written !== undefined && written.length <= MOST_BYTES / 2
  // What is kept is what JSON holds of it, whatever else the tool has put in.
  const output = fits ? (JSON.parse(written) as Json) : before.output
  if (delta === '' && output === undefined) return undefined
  return { ...(delta !== '' && { delta }), ...(output !== undefined && { output }) }
}
