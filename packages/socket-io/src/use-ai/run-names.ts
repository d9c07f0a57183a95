import { isJsonObject, type Json, type Run } from 'dragoman/events'
import { useAi } from 'dragoman/protocols'

/** A run as who began it calls it: what each of its events carries beside it, for clients that follow several. */
export type RunNames = { readonly threadId: string; readonly runId: string }

/** How a socket reads a run that was begun over any line. One that `watches` is not asked for the results of page tools. */
export function socketView({ reply }: Run, watches: boolean): Json {
  const own = reply.protocol === 'use-ai' || reply.protocol === 'ag-ui' ? reply.view : {}
  return useAi.view({ ...(isJsonObject(own) && own), watches }, {})
}

export function runNames(run: Run): RunNames {
  return runNamesIn(socketView(run, false), run)
}

/** As a request calls it. */
export function runNamesIn(view: Json, run: Run): RunNames {
  const { threadId, runId } = isJsonObject(view) ? view : {}
  return {
    threadId: typeof threadId === 'string' ? threadId : run.threadId,
    runId: typeof runId === 'string' ? runId : run.id,
  }
}
