import { isServiceError, type ServiceError } from '../../errors.ts'
import type { Run } from '../../events/index.ts'
import type { Runs } from '../../runs/index.ts'

type Answer = Parameters<Runs['answer']>[1]

/** Errors that are ignored, because a client may repeat its own answers and those of others. */
const IGNORED_ERRORS: ReadonlySet<string> = new Set([
  'already-answered',
  'not-found',
  'run-closed',
  'expired',
])

/** The one way in which surfaces give the answers of a request to a run. Answers that come too late are ignored. */
export async function giveAnswers(
  run: Run,
  answers: readonly Answer[],
  { runs, userId }: { readonly runs: Pick<Runs, 'answer'>; readonly userId: string },
): Promise<void> {
  for (const answer of answers) {
    try {
      await runs.answer(run, answer, userId)
    } catch (error) {
      if (!isLateAnswer(error)) throw error
    }
  }
}

/** Whether an answer was refused because its question is no longer open. */
export function isLateAnswer(error: unknown): error is ServiceError {
  return isServiceError(error) && IGNORED_ERRORS.has(error.code)
}
