import { once } from 'node:events'

import { createServer, type Fixture } from '@copilotkit/aimock'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { JUDGED } from './seeker.ts'

/** What each answer costs, in the words of either provider. */
const usage = { prompt_tokens: 10, completion_tokens: 3, input_tokens: 10, output_tokens: 3 }

/** A call that the agent makes by itself. */
export type AgentCall = { readonly name: string; readonly input: Json }

export type JobsProvider = AsyncDisposable & {
  readonly url: string
  /** The paths that were asked, in order. */
  readonly paths: () => readonly string[]
  /** The questions of tools, in order: whom they are about. */
  readonly questions: readonly string[]
  /** How many requests were given up by who asked. */
  readonly left: number
  /** What the agent calls when its user speaks; then it says `Done.` */
  play(call: AgentCall): void
  /** What a tool's own question is answered with; it may wait. */
  answer(how: (question: string, number: number) => Json | Promise<Json>): void
}

/** A provider over HTTP whose model calls what it is told to, and answers the questions of the tools that it calls. */
export async function jobsProvider(): Promise<JobsProvider> {
  const questions: string[] = []
  let call: AgentCall = { name: 'jobs_list', input: {} }
  let answer: (question: string, number: number) => Json | Promise<Json> = () => JUDGED
  let remaining = 0
  const response: Fixture['response'] = async ({ tools = [], messages }) => {
    if (tools.length > 0) {
      const isAnswered = messages.at(-1)?.role === 'tool'
      if (isAnswered) return { content: 'Done.', usage }
      return { toolCalls: [{ name: call.name, arguments: JSON.stringify(call.input) }], usage }
    }
    const question = JSON.stringify(messages)
    questions.push(question)
    return { content: JSON.stringify(await answer(question, questions.length)), usage }
  }
  const { server, url, journal } = await createServer([{ match: { predicate: () => true }, response }])
  server.on('request', (_request, answered) => {
    answered.on('close', () => (remaining += answered.writableFinished ? 0 : 1))
  })
  return {
    url,
    paths: () => journal.getAll().map(({ path }) => path),
    questions,
    play(next) {
      call = next
    },
    answer(how) {
      answer = how
    },
    get left() {
      return remaining
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
