import { isServiceError } from 'dragoman/errors'
import type { LogEntry, Run } from 'dragoman/events'
import type { Runs } from 'dragoman/runs'
import type { Connection } from '../transport/connection.ts'

/** A reconnected page must send the results of its tools within this time. Results from before are lost. */
const RESULT_TIMEOUT_MS = 60_000

type Options = {
  readonly runs: Pick<Runs, 'answer' | 'structure'>
  readonly report: (error: unknown, where: string) => void
}

/**
 * Fails calls that the page received before its connection broke, if it does not answer them in time. They are not
 * sent again, because the page may have run them. Calls that it has not received are sent as the run resumes.
 */
export async function failLostResults(
  { run, seen }: { readonly run: Run; readonly seen: number },
  { userId, closed }: Pick<Connection, 'userId' | 'closed'>,
  { runs, report }: Options,
): Promise<void> {
  const open = findLostCalls(await runs.structure(run), seen)
  if (open.length === 0 || closed.aborted) return
  const fail = async (callId: string): Promise<void> => {
    const message =
      'The page lost its connection while it ran this tool: whether it has done its work is not known.'
    const answer = { kind: 'error', message, code: 'outcome-unknown' } as const
    await runs.answer(run, { callId, answer }, userId).catch((error: unknown) => {
      // The call was answered meanwhile, or its run has ended.
      if (!isServiceError(error) || error.code === 'internal') report(error, 'socket.io')
    })
  }
  const timer = setTimeout(() => void Promise.all(open.map(fail)), RESULT_TIMEOUT_MS)
  closed.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

/** Calls that wait for a page's result and that the page has received. */
function findLostCalls(entries: readonly LogEntry[], firstSeq: number): string[] {
  const receivedCalls = new Set<string>()
  const open = new Set<string>()
  for (const { seq, event } of entries) {
    if (event.type === 'tool.called' && seq <= firstSeq) receivedCalls.add(event.callId)
    if (event.type === 'tool.asked' && event.question.kind === 'output') open.add(event.callId)
    if (event.type === 'tool.answered' || event.type === 'tool.failed') open.delete(event.callId)
  }
  return [...open].filter((callId) => receivedCalls.has(callId))
}
