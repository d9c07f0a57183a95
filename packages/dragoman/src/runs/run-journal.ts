import type { Run, RunEvent, StopReason, TerminalEvent } from '../events/index.ts'
import type { AbortCause } from './abort-cause.ts'

/** Notes for the operator what becomes of the runs that this process drives. Its methods must not throw. */
export interface RunJournal {
  /** This process goes on with a run that another has left, or tries it again. */
  resumed(run: Run, resumption: Resumption): Promise<void>
  /** This process has given a run up, and another may go on with it at once. */
  handedOver(run: Run, of: { readonly model: string | undefined }): void
  ended(run: Run, end: RunEnd): void
}

type Resumption = Pick<Extract<RunEvent, { type: 'run.resumed' }>, 'because' | 'attempt'> & {
  readonly epoch: number
  readonly model: string | undefined
}

/**
 * `model`: the one that has answered last. `error`: what was thrown, where the terminal entry has no more than its
 * sentence.
 */
export type RunEnd = {
  readonly terminal: TerminalEvent
  readonly model?: string | undefined
  readonly by?: Stopper | undefined
  readonly error?: unknown
}

/** Who ended a run before it was finished. `crashes`: its attempts made no progress. */
export type Stopper = 'user' | StopReason | 'limit' | 'shutdown' | 'crashes'

/** What makes a run end that goes on no further although the model has not failed. */
export function stopperOf(cause: AbortCause | undefined, terminal: TerminalEvent): Stopper | undefined {
  switch (cause?.kind) {
    case 'stopped':
      return cause.because ?? 'user'
    case 'deadline':
    case 'failed':
      return 'limit'
    case 'closing':
      return 'shutdown'
    case 'crashed':
      return 'crashes'
    default:
      return terminal.type === 'run.finished' && CUT_SHORT.has(terminal.reason) ? 'limit' : undefined
  }
}

const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'step-limit', 'content-filter'])
