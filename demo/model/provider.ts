import { LLMock, type ChatCompletionRequest } from '@copilotkit/aimock'

import answers from './answers.json' with { type: 'json' }

/** The options that make a server use the provider, and what the provider received. */
export type Provider = AsyncDisposable & {
  readonly env: Readonly<Record<string, string>>
  readonly flags: readonly string[]
  readonly requestCount: () => number
  /** The claims that the last request rejected in the answer before it. */
  readonly rejectedClaims: () => readonly string[]
}

/** A text of the resume, and what the model makes of it. */
type Edit = readonly [before: string, after: string]

/**
 * How the model tailors a resume: with `honest` edits, with `invented` claims until they are rejected, and with the
 * smaller claims in `kept` each time.
 */
type Rewriting = Readonly<Record<'honest' | 'invented' | 'kept', readonly Edit[]>> & {
  readonly suggestions: readonly object[]
}

/** Both are keyed by the company of the posting. The judgement of Tidewrack Labs obeys the posting's instructions. */
const judgements: Readonly<Record<string, object>> = answers.judgements
const rewritings = answers.rewritings as unknown as Readonly<Record<string, Rewriting>>

/** A provider on this machine that speaks chat completions, with recorded answers for the demo's data. */
export async function openProvider(): Promise<Provider> {
  const mock = new LLMock({ port: 0 })
  mock.on({ predicate: () => true }, (request) => ({ content: JSON.stringify(answerTo(textOf(request))) }))
  await mock.start()
  return {
    env: { OPENAI_BASE_URL: mock.url, OPENAI_API_KEY: 'none-is-needed' },
    flags: ['--model', 'openai:written-for-the-demo'],
    requestCount: () => mock.getRequests().length,
    rejectedClaims: () => claimsIn(textOf(mock.getLastRequest()?.body as ChatCompletionRequest)),
    [Symbol.asyncDispose]: () => mock.stop(),
  }
}

/** Removes the claims that the model keeps. */
export function withoutClaims(content: string): string {
  const claims = Object.values(rewritings).flatMap(({ kept }) => kept)
  return claims.reduce((text, [before, after]) => text.replace(after, before), content)
}

/** The request names the posting, the resume, and the rejected claims. */
function answerTo(request: string): object {
  const posting = between(request, 'posting')
  const isTailoring = request.includes('You adapt a resume to one job posting')
  const company = Object.keys(isTailoring ? rewritings : judgements).find((name) => posting.includes(name))
  if (company === undefined) throw new Error('There is no answer for this posting.')
  const rewriting = isTailoring && rewritings[company]
  if (!rewriting) return judgements[company] ?? {}
  return rewrite(between(request, 'resume'), rewriting, request.includes('<fabricated>'))
}

function rewrite(resume: string, { honest, invented, kept, suggestions }: Rewriting, isRejected: boolean) {
  const edits = [...honest, ...kept, ...(isRejected ? [] : invented)]
  const content = edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`The resume no longer says “${before}”.`)
    return text.replace(before, after)
  }, resume)
  return { content, suggestions }
}

/** `- Rust — in: Skills: Rust, Go`, line by line. */
function claimsIn(request: string): readonly string[] {
  const problems = between(request, 'fabricated')
  return problems === ''
    ? []
    : problems.split('\n').map((line) => line.replace(/^- /, '').replace(' — in: ', ' in: '))
}

function between(text: string, tag: string): string {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'u').exec(text)?.[1] ?? ''
}

function textOf({ messages }: ChatCompletionRequest): string {
  return messages
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text ?? ''),
    )
    .join('\n')
}
