import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toPrompt } from '../../../../packages/dragoman/src/engine/prompt.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Json,
  LogEntry,
  Message,
  Run,
} from '../../../../packages/dragoman/src/events/index.ts'
import { agentEvents } from '../../src/protocols/agent-events/index.ts'
import { completeLogs } from '../../../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { run } from '../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { RUNS } from '../../../../test/laws/runs.ts'
import { folded } from '../../../../test/laws/message-content.ts'

const user: Message = { role: 'user', id: 'u', parts: run.request.input }

describe('the conversation at the end of agent events', () => {
  it('gives the next model the same history as the run itself', () => {
    fc.assert(
      fc.property(completeLogs, (log) => {
        expect(toPrompt(past(messagesOf(log)), 'offline')).toEqual(promptOf(log))
      }),
      RUNS,
    )
  })

  it('does not change when it is sent again', () => {
    fc.assert(
      fc.property(completeLogs, completeLogs, (before, log) => {
        const history = past(JSON.parse(JSON.stringify(messagesOf(before)).replaceAll('run_story', 'run_1')))
        const expected = messagesOf(log, { ...run, request: { ...run.request, history } })
        expect(toPrompt(past(expected), 'offline')).toEqual(promptOf(log, history))
      }),
      RUNS,
    )
  })

  it('contains in each assistant message what the client received', () => {
    fc.assert(
      fc.property(completeLogs, (log) => {
        const encoder = agentEvents.encoder({ run, view: {} })
        const frames = log.flatMap((entry) => encoder(entry)).map((text) => JSON.parse(text) as Frame)
        const actual = frames.flatMap(({ type, content = '' }) => (type === 'content' ? [content] : []))
        const messages = frames.at(-1)?.messages ?? []
        expect(
          messages
            .flatMap(({ role, content }) => (role === 'assistant' ? [content] : []))
            .join('')
            .trim(),
        ).toBe(actual.join('').trim())
      }),
      RUNS,
    )
  })
})

type Frame = {
  readonly type: string
  readonly content?: string
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
}

function messagesOf(log: readonly LogEntry[], of: Run = run): Json {
  const encoder = agentEvents.encoder({ run: of, view: {} })
  const last = log.flatMap((entry) => encoder(entry)).at(-1) ?? '{}'
  return (JSON.parse(last) as { messages: Json }).messages
}

function past(history: Json): readonly Message[] {
  const read = agentEvents.parse({ message: 'Go on.', workDir: '/w', history })
  return ('history' in read && read.history) || []
}

/** What a model is told of a run that has ended, but for what says nothing. */
function promptOf(log: readonly LogEntry[], history: readonly Message[] = []): unknown {
  const prompt = toPrompt([...history, user, plain(folded(log))], 'offline')
  const isBlank = (part: object): boolean => 'text' in part && String(part.text).trim() === ''
  return withoutPrototype(prompt.filter(({ role, content }) => role !== 'user' || !content.every(isBlank)))
}

/** A step's words are told as one, before its calls. */
function plain(message: AssistantMessage): AssistantMessage {
  const steps: AssistantPart[][] = [[]]
  for (const part of message.parts) {
    if (part.type === 'step') steps.push([])
    steps.at(-1)?.push(part)
  }
  return { ...message, parts: steps.flatMap(plainStep) }
}

function plainStep(parts: readonly AssistantPart[]): AssistantPart[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const [first] = parts
  const step = first?.type === 'step' ? [first] : []
  const others = parts.filter(({ type }) => type !== 'text' && type !== 'step')
  return [...step, { type: 'text', partId: '', text, open: false }, ...others]
}

function withoutPrototype(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), function (this: unknown, key, held: unknown) {
    return key === '__proto__' ? undefined : held
  })
}
