import { expect, it } from 'vitest'

import { WAITING_FOR_MODEL, type LogEntry, type RunEvent, type RunSummary } from 'dragoman/events'
import { explainRun } from './explain-run.ts'

const usage = { inputTokens: 10, outputTokens: 5 }
const secret = 'Secret words.'
const failure = { message: secret, retryable: false }
const started: RunEvent = {
  type: 'run.started',
  agent: 'dice',
  messageId: 'msg_1',
  input: [{ type: 'text', text: secret }],
}
const step = (model = 'anthropic:x'): RunEvent => ({ type: 'step.started', model })
const stepEnd = (reason: 'stop' | 'tool-calls' | 'interrupted'): RunEvent => ({
  type: 'step.finished',
  reason,
  usage,
})
const call: RunEvent = { type: 'tool.called', callId: 'c1', tool: 'roll\u202e', input: { secret } }

/** Entries a second apart. */
function logOf(...events: readonly RunEvent[]): LogEntry[] {
  return events.map((event, index) => ({ seq: index + 1, at: index * 1000, event }))
}

/** The model spoke for half a second after each entry. */
function timesOf(entries: readonly LogEntry[]) {
  return { before: new Map(entries.map(({ seq, at }) => [seq, at - 500])), last: entries.at(-1)?.at }
}

function tell(entries: readonly LogEntry[], claims: readonly (readonly [string, number])[], pruned = false) {
  const run: RunSummary = {
    id: 'run_1',
    threadId: 'conv_1',
    userId: 'ada',
    agent: 'dice',
    messageId: 'msg_2',
    status: 'failed',
    epoch: 1,
    crashes: 0,
    lastSeq: 1,
    createdAt: 0,
    pruned,
  }
  const made = claims.map(([owner, at], index) => ({ epoch: index + 1, owner, at }))
  const explanation = explainRun({
    run,
    claims: made,
    entries,
    times: timesOf(entries),
    hashUser: () => 'h4sh',
  })
  expect(JSON.stringify(explanation)).not.toContain('Secret')
  expect(JSON.stringify(explanation)).not.toContain('ada')
  return explanation
}

const texts = (explanation: ReturnType<typeof tell>): string[] =>
  explanation.happenings.map(({ at, text }) => `${at.slice(17, 19)} ${text}`)

it('tells of nodes, models, tools, waits and the end, in order, and of no words', () => {
  const entries = logOf(
    started,
    step(),
    { type: 'text.delta', partId: 'p', delta: secret },
    call,
    { type: 'tool.asked', callId: 'c1', question: { kind: 'approval', message: secret } },
    stepEnd('tool-calls'),
    { type: 'run.waiting', calls: ['c1'] },
    { type: 'tool.answered', callId: 'c1', answer: { kind: 'approval', approved: true }, by: 'ada' },
    { type: 'run.resumed', because: 'answer', attempt: 0 },
    { type: 'tool.executing', callId: 'c1' },
    { type: 'tool.returned', callId: 'c1', output: secret, text: secret },
    {
      type: 'data',
      name: WAITING_FOR_MODEL,
      value: { code: 'model-overloaded', retryAfter: 2, attempt: 2, attempts: 3 },
      transient: true,
    },
    step('openai:y'),
    { type: 'run.resumed', because: 'crash', attempt: 1 },
    stepEnd('interrupted'),
    { type: 'run.failed', failure: { ...failure, code: 'model-unauthorized' }, usage },
  )
  const claims = [
    ['a/1/x/1', 0],
    ['b/2/x/1', 7900],
    ['c/3/x/1', 12_500],
  ] as const

  const explanation = tell(entries, claims)

  expect(explanation).toMatchObject({
    run: 'run_1',
    user: 'h4sh',
    log: 'kept',
    usage,
    nodes: ['a/1', 'b/2', 'c/3'],
  })
  expect(texts(explanation)).toEqual([
    '00 The run was asked for. Node a/1 began it.',
    '01 Step 1: the model anthropic:x began to answer.',
    '03 The model called the tool roll.',
    "04 roll waits for its user's approval.",
    '05 Step 1 ended (10 tokens read, 5 written): the model asked for tools.',
    '06 The run waits for an answer. No node drives it.',
    '07 Its user approved roll.',
    '08 Node b/2 went on, as the answer was there.',
    '09 The server began to run roll.',
    '10 roll returned after 1.0 s.',
    '11 The model did not answer (model-overloaded). It is asked again in 2 s, try 2 of 3.',
    '12 Step 2: the model openai:y began to answer.',
    '13 Node c/3 took the run over, as node b/2 no longer lived (crash 1), 0.5 s after the entry before.',
    '14 Step 2 ended (10 tokens read, 5 written): it was cut off.',
    "15 The run failed (model-unauthorized): the model's provider refused the server's key.",
  ])
})

it.each<[string, RunEvent, string]>([
  ['a stop', { type: 'run.stop-requested', by: 'ada' }, 'Its user stopped the run.'],
  [
    'a page that left',
    { type: 'run.stop-requested', by: 'ada', because: 'page' },
    'The run was stopped, as the page or program that asked went away.',
  ],
  [
    'a hand-over',
    { type: 'run.resumed', because: 'shutdown', attempt: 0 },
    'Node a/1 shut down and gave the run up. Node b/2 took it, 0.5 s after the entry before.',
  ],
  [
    'a tool of which nothing is known',
    { type: 'tool.failed', callId: 'c1', failure: { ...failure, code: 'outcome-unknown' } },
    'a tool failed (outcome-unknown): the server ended while it ran: whether it did its work is not known.',
  ],
  [
    'a code of a newer version',
    { type: 'run.failed', failure: { ...failure, code: 'odd' }, usage },
    'The run failed (odd): the line "run failed" of the process log has the reason.',
  ],
])('tells of %s', (_what, event, text) => {
  const explanation = tell(logOf(started, event), [
    ['a/1/x/1', 0],
    ['b/2/x/1', 900],
  ])

  expect(explanation.happenings.map((each) => each.text)).toContain(text)
})

it('tells of nodes that wrote nothing, of a run that waited for its place, and of a log that was deleted', () => {
  const late = tell(logOf(started), [
    ['a/1/x/1', 4000],
    ['b/2/x/1', 5000],
  ])
  const pruned = tell([], [['a/1/x/1', 0]], true)

  expect(texts(late)).toEqual([
    '00 The run was asked for. Node a/1 began it 4.0 s later, after what was ahead of it.',
    '05 Node b/2 took the run, and wrote nothing.',
  ])
  expect(pruned.log).toBe('deleted')
  expect(texts(pruned)).toEqual(['00 Node a/1 took the run.'])
})
