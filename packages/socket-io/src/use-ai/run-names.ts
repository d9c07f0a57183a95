import { isJsonObject, type Json, type Run } from 'dragoman/events'
import { replyView, useAi } from '@dragoman/ag-ui/protocol'

/** The names that the starting client gave a run. Each event carries them, for clients that follow several runs. */
export type RunNames = { readonly threadId: string; readonly runId: string }

/**
 * The view of a socket, for a run that was started over any transport. A socket that `watches` is not asked for page
 * tool results.
 */
export function socketView(run: Run, watches: boolean): Json {
  return useAi.view({ ...replyView(run), watches }, {})
}

export function runNames(run: Run): RunNames {
  return runNamesIn(socketView(run, false), run)
}

/** The names in a request's view. */
export function runNamesIn(view: Json, run: Run): RunNames {
  const { threadId, runId } = isJsonObject(view) ? view : {}
  return {
    threadId: typeof threadId === 'string' ? threadId : run.threadId,
    runId: typeof runId === 'string' ? runId : run.id,
  }
}
