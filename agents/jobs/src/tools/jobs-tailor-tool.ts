import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { readContext } from '../context.ts'
import type { Stage } from '../tailoring/rewrite-resume.ts'
import type { Tailored, Tailoring } from '../tailoring/tailoring.ts'
import { changeLine, truthLines } from '../tailoring/truth-lines.ts'
import { languageOf, type Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import texts from './texts.json' with { type: 'json' }
import { quoteUntrustedLine } from '@dragoman/agent-kit/text/quote-untrusted-line'

const inputSchema = z.object({
  jobId: z.int().positive().optional().describe('The job; the one that is discussed unless told.'),
  resumeId: z.int().positive().optional().describe('The resume; the default one unless told.'),
  forceNew: z
    .boolean()
    .optional()
    .describe(
      'true: make a new version although there is one. Only where the user asks for it: it ' +
        'takes the place of the latest.',
    ),
})

/** The model has two minutes for both of its tries; the checks come on top. */
const TIMEOUT_MS = 150_000

const STAGES: Readonly<Record<Stage, string>> = {
  writing: 'Writing the tailored resume…\n',
  checking: 'Checking each claim against the resume…\n',
  rewriting: 'Some claims are not in the resume: writing it once more…\n',
}

/** Lets the agent rewrite a resume for one posting. What it makes up is marked. */
export function jobsTailorTool(tailoring: Tailoring): Tool {
  return defineTool({
    name: 'jobs_tailor',
    description:
      "Rewrites the user's resume for one saved job, checks every claim of it against the " +
      'resume, and keeps it as a version. Gives the version that is there unless forceNew is ' +
      'set. Tell the user of every claim that the check marks.',
    inputSchema,
    // The call's key sees to it that a second run finds what the first one made.
    idempotent: true,
    needsApproval: ({ forceNew }) => forceNew === true,
    timeoutMs: TIMEOUT_MS,
    execute: async (input, { userId, context, signal, model, idempotencyKey, progress }) => {
      signal.throwIfAborted()
      const page = readContext(context)
      const jobId = input.jobId ?? page.jobId ?? undefined
      if (jobId === undefined) throw new ServiceError('invalid-request', 'jobId is required')
      const request = {
        jobId,
        resumeId: input.resumeId ?? page.resumeId ?? undefined,
        forceNew: input.forceNew,
      }
      const tell = (stage: Stage): void => progress({ delta: STAGES[stage], output: { stage } })
      const tailored = await tailoring.tailor(
        userId,
        { ...request, callKey: idempotencyKey },
        { model, signal, tell },
      )
      return toolResult({ output: outputOf(tailored), text: text(tailored) })
    },
  })
}

/** What stayed as it was is in the content. */
function outputOf({ diff, ...version }: Tailored) {
  return { ...version, diff: { ...diff, lines: diff.lines.filter(({ op }) => op !== 'same') } }
}

function text(tailored: Tailored): string {
  const language = languageOf(tailored.content)
  return [
    head(tailored, language),
    ...truthLines(tailored, language),
    ...suggestionLines(tailored, language),
  ].join('\n')
}

function head(tailored: Tailored, language: Language): string {
  const { version, id, jobId, isNew } = tailored
  const what = localize(isNew ? texts.tailor.new : texts.tailor.old, language, { jobId })
  return localize(texts.tailor.head, language, { what, version, id, change: changeLine(tailored, language) })
}

function suggestionLines({ suggestions }: Tailored, language: Language): readonly string[] {
  if (suggestions.length === 0) return []
  const lines = suggestions.map(({ type, section, original, suggested, reason, doubtful }) => {
    const change = quoteUntrustedLine(suggested.trim() || (original ?? ''), 200)
    const doubt = doubtful ? localize(texts.tailor.doubtful, language) : ''
    return `- ${type} · ${quoteUntrustedLine(section, 60)}: ${change}${doubt} — ${quoteUntrustedLine(reason, 200)}`
  })
  return [localize(texts.tailor.suggestions, language), ...lines]
}
