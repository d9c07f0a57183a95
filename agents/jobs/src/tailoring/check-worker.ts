import { serveWorker } from '@dragoman/agent-kit/isolate/isolated-worker'
import type { Difference } from './difference-shape.ts'
import { differenceOf } from './difference.ts'
import { truthOf, type Truth } from './truth.ts'

/** The thread on which resumes are compared: long ones with nothing in common take their time. */

export type CheckRequest = {
  readonly base: string
  readonly tailored: string
  readonly posting: string
  /** What the text was made of, to tell what differs. */
  readonly before: string
  /** Texts that somebody proposes to take in. */
  readonly proposed: readonly string[]
}
export type Checked = {
  readonly truth: Truth
  readonly difference: Difference
  /** Of each proposal, whether it names something that the base does not bear out. */
  readonly doubtful: readonly boolean[]
}
export type CompareRequest = { readonly before: string; readonly after: string }

serveWorker<CheckRequest | CompareRequest, Checked | Difference>((request) =>
  'after' in request ? differenceOf(request.before, request.after) : checked(request),
)

function checked({ base, tailored, posting, before, proposed }: CheckRequest): Checked {
  return {
    truth: truthOf(base, tailored, posting),
    difference: differenceOf(before, tailored),
    // A proposal is advice in part: only what it names is held against it.
    doubtful: proposed.map((text) =>
      truthOf(base, text, '').marks.some(({ kind }) => kind !== 'invented_content'),
    ),
  }
}
