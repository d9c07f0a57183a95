import { LLMock, type ChatCompletionRequest } from '@copilotkit/aimock'

import { judgements } from './judgements.ts'
import { rewritings, rewritten } from './rewritings.ts'

/** What dragoman needs to take it for its provider, and how often it was asked. */
export type Provider = AsyncDisposable & {
  readonly env: Readonly<Record<string, string>>
  readonly flags: readonly string[]
  readonly asked: () => number
  /** The claims that the last question held against the answer before it. */
  readonly heldAgainst: () => readonly string[]
}

/** A provider on this machine that speaks chat completions, with recorded answers for the demo's data. */
export async function openProvider(): Promise<Provider> {
  const mock = new LLMock({ port: 0 })
  mock.on({ predicate: () => true }, (request) => ({ content: JSON.stringify(answerTo(textOf(request))) }))
  await mock.start()
  return {
    env: { OPENAI_BASE_URL: mock.url, OPENAI_API_KEY: 'none-is-needed' },
    flags: ['--model', 'openai:written-for-the-demo'],
    asked: () => mock.getRequests().length,
    heldAgainst: () => claimsIn(textOf(mock.getLastRequest()?.body as ChatCompletionRequest)),
    [Symbol.asyncDispose]: () => mock.stop(),
  }
}

/** The question tells which posting, which resume, and what was wrong before. */
function answerTo(question: string): object {
  const posting = between(question, 'posting')
  const resume = between(question, 'resume')
  const isTailoring = question.includes('You adapt a resume to one job posting')
  const answerText =
    Object.keys(isTailoring ? rewritings : judgements).find((name) => posting.includes(name)) ?? ''
  const rewriting = rewritings[answerText]
  if (isTailoring && rewriting) return rewritten(resume, rewriting, question.includes('<fabricated>'))
  const judgement = judgements[answerText]
  if (judgement) return judgement
  throw new Error('Nothing was written for this posting.')
}

/** `- Rust — in: Skills: Rust, Go`, line by line. */
function claimsIn(question: string): readonly string[] {
  const problems = between(question, 'fabricated')
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
