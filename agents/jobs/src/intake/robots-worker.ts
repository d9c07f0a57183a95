import { serveWorker } from '@dragoman/agent-kit/isolate/isolated-worker'
import { robotsRules } from './robots-rules.ts'

/** The thread on which a site's rules are read: a stranger wrote them, and may have written them to take long. */

/** `path` with its query, as it is asked for. */
export type RobotsRequest = { readonly text: string; readonly crawler: string; readonly path: string }
/** Whether a page may be fetched, and what the site asks to wait between two of its pages. */
export type Leave = { readonly allows: boolean; readonly delayMs: number }

serveWorker<RobotsRequest, Leave>(({ text, crawler, path }) => {
  const { allows, delayMs } = robotsRules(text, crawler)
  return { allows: allows(path), delayMs }
})
