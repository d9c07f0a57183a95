import type { LogEntry, Message, Run, RunEvent } from '../events/index.ts'
import { clientToolStories, storyTools } from './client-tool-stories.fixture.ts'

/** Logs of runs, by what happens in them. */
export const stories = {
  text: [
    { type: 'step.started', model: 'offline' },
    { type: 'reasoning.started', partId: 'run_story.1' },
    { type: 'reasoning.delta', partId: 'run_story.1', delta: '用户想要…' },
    {
      type: 'reasoning.ended',
      partId: 'run_story.1',
      provider: { name: 'p', metadata: { signature: 'SECRET' } },
    },
    { type: 'text.started', partId: 'run_story.2' },
    { type: 'text.delta', partId: 'run_story.2', delta: 'Hello,\n"world" ' },
    { type: 'text.delta', partId: 'run_story.2', delta: '😀 done.' },
    { type: 'text.ended', partId: 'run_story.2' },
    { type: 'step.finished', reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'run.finished', reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } },
  ],
  tools: [
    { type: 'step.started', model: 'offline' },
    { type: 'text.started', partId: 'run_story.1' },
    { type: 'text.delta', partId: 'run_story.1', delta: 'Let me see.' },
    { type: 'text.ended', partId: 'run_story.1' },
    { type: 'tool.started', callId: 'run_story.2', tool: 'jobs_search' },
    { type: 'tool.delta', callId: 'run_story.2', delta: '{"keywords":' },
    { type: 'tool.delta', callId: 'run_story.2', delta: '"engineer"}' },
    {
      type: 'tool.called',
      callId: 'run_story.2',
      tool: 'jobs_search',
      input: { keywords: 'engineer' },
      provider: { name: 'p', callId: 'SECRET' },
    },
    { type: 'tool.called', callId: 'run_story.3', tool: 'jobs_list', input: {} },
    { type: 'tool.executing', callId: 'run_story.2' },
    { type: 'tool.executing', callId: 'run_story.3' },
    { type: 'tool.progressed', callId: 'run_story.2', output: { current: 1, total: 2 } },
    { type: 'tool.progressed', callId: 'run_story.2', delta: 'half' },
    {
      type: 'tool.failed',
      callId: 'run_story.3',
      failure: { code: 'tool-failed', message: 'No list.', retryable: false },
    },
    { type: 'tool.returned', callId: 'run_story.2', output: { total: 12 }, text: '找到 12 个' },
    { type: 'data', name: 'card', id: 'c1', value: { title: 'A card' } },
    { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'step.started', model: 'offline' },
    { type: 'text.started', partId: 'run_story.4' },
    { type: 'text.delta', partId: 'run_story.4', delta: 'Twelve.' },
    { type: 'text.ended', partId: 'run_story.4' },
    { type: 'step.finished', reason: 'length', usage: { inputTokens: 20, outputTokens: 2 } },
    { type: 'run.finished', reason: 'length', usage: { inputTokens: 30, outputTokens: 7 } },
  ],
  stopped: [
    { type: 'step.started', model: 'offline' },
    { type: 'tool.started', callId: 'run_story.1', tool: 'jobs_search' },
    { type: 'tool.called', callId: 'run_story.1', tool: 'jobs_search', input: {} },
    { type: 'tool.started', callId: 'run_story.2', tool: 'jobs_search' },
    { type: 'tool.delta', callId: 'run_story.2', delta: '{"cut' },
    { type: 'run.stop-requested', by: 'SECRET' },
    {
      type: 'tool.failed',
      callId: 'run_story.1',
      failure: { code: 'aborted', message: 'Stopped.', retryable: false },
    },
    {
      type: 'tool.failed',
      callId: 'run_story.2',
      failure: { code: 'aborted', message: 'Stopped.', retryable: false },
    },
    {
      type: 'step.finished',
      reason: 'interrupted',
      usage: { inputTokens: 10, outputTokens: 2, estimated: true },
    },
    { type: 'run.cancelled', by: 'SECRET', usage: { inputTokens: 10, outputTokens: 2, estimated: true } },
  ],
  failed: [
    { type: 'step.started', model: 'offline' },
    { type: 'text.started', partId: 'run_story.1' },
    { type: 'text.delta', partId: 'run_story.1', delta: 'Hel' },
    { type: 'text.ended', partId: 'run_story.1' },
    {
      type: 'step.finished',
      reason: 'interrupted',
      usage: { inputTokens: 10, outputTokens: 1, estimated: true },
    },
    {
      type: 'run.failed',
      failure: { code: 'rate-limited', message: 'Too many requests.', retryable: true, retryAfter: 30 },
      usage: { inputTokens: 10, outputTokens: 1, estimated: true },
    },
  ],
  'step limit': [
    { type: 'step.started', model: 'offline' },
    { type: 'step.finished', reason: 'step-limit', usage: { inputTokens: 1, outputTokens: 1 } },
    { type: 'run.finished', reason: 'step-limit', usage: { inputTokens: 1, outputTokens: 1 } },
  ],
  questions: [
    { type: 'step.started', model: 'offline' },
    { type: 'tool.called', callId: 'run_story.1', tool: 'apply', input: { job: 3 } },
    {
      type: 'tool.asked',
      callId: 'run_story.1',
      question: { kind: 'approval', expiresAt: 1_700_000_086_400 },
    },
    { type: 'tool.called', callId: 'run_story.2', tool: '查看位置', input: {} },
    { type: 'tool.asked', callId: 'run_story.2', question: { kind: 'output' } },
    { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'run.waiting', calls: ['run_story.1', 'run_story.2'] },
    {
      type: 'tool.answered',
      callId: 'run_story.1',
      answer: { kind: 'approval', approved: true, reason: '可以' },
      by: 'SECRET',
    },
    {
      type: 'tool.answered',
      callId: 'run_story.2',
      answer: { kind: 'output', output: { city: 'Oslo' } },
      by: 'SECRET',
    },
    { type: 'run.resumed', because: 'answer', attempt: 0 },
    { type: 'tool.executing', callId: 'run_story.1' },
    { type: 'tool.returned', callId: 'run_story.1', output: null, text: 'Applied.' },
    { type: 'tool.returned', callId: 'run_story.2', output: { city: 'Oslo' }, text: '{"city":"Oslo"}' },
    { type: 'step.started', model: 'offline' },
    { type: 'text.started', partId: 'run_story.3' },
    { type: 'text.delta', partId: 'run_story.3', delta: 'Done.' },
    { type: 'text.ended', partId: 'run_story.3' },
    { type: 'step.finished', reason: 'stop', usage: { inputTokens: 20, outputTokens: 2 } },
    { type: 'run.finished', reason: 'stop', usage: { inputTokens: 30, outputTokens: 7 } },
  ],
  'a no': [
    { type: 'step.started', model: 'offline' },
    { type: 'tool.called', callId: 'run_story.1', tool: 'apply', input: { job: 3 } },
    { type: 'tool.asked', callId: 'run_story.1', question: { kind: 'approval' } },
    { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'run.waiting', calls: ['run_story.1'] },
    {
      type: 'tool.answered',
      callId: 'run_story.1',
      answer: { kind: 'approval', approved: false },
      by: 'SECRET',
    },
    { type: 'run.resumed', because: 'answer', attempt: 0 },
    {
      type: 'tool.failed',
      callId: 'run_story.1',
      failure: { code: 'denied', message: 'The user said no.', retryable: false },
    },
    { type: 'step.started', model: 'offline' },
    { type: 'step.finished', reason: 'stop', usage: { inputTokens: 20, outputTokens: 2 } },
    { type: 'run.finished', reason: 'stop', usage: { inputTokens: 30, outputTokens: 7 } },
  ],
  'stopped while it waits': [
    { type: 'step.started', model: 'offline' },
    { type: 'tool.called', callId: 'run_story.1', tool: 'apply', input: { job: 3 } },
    { type: 'tool.asked', callId: 'run_story.1', question: { kind: 'approval' } },
    { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'run.waiting', calls: ['run_story.1'] },
    { type: 'run.stop-requested', by: 'SECRET' },
    {
      type: 'tool.failed',
      callId: 'run_story.1',
      failure: { code: 'aborted', message: 'Stopped.', retryable: false },
    },
    { type: 'run.cancelled', by: 'SECRET', usage: { inputTokens: 10, outputTokens: 5 } },
  ],
  ...clientToolStories,
} satisfies Record<string, RunEvent[]>

/** A client tool that needs an approval: each of its calls is asked for an approval, and then for an output. */
export const CONFIRMED_TOOL = 'buy'

export const run: Run = {
  id: 'run_story',
  threadId: 'conv_story',
  userId: 'SECRET',
  agent: 'dice',
  messageId: 'msg_story',
  request: {
    messageId: 'msg_user',
    input: [{ type: 'text', text: 'hi' }],
    context: {},
    tools: storyTools,
  },
  reply: { protocol: 'native', view: {} },
  onCrash: 'continue',
  status: 'finished',
  epoch: 1,
  lastSeq: 0,
  createdAt: 1_700_000_000_000,
  pruned: false,
}

export function logOf(events: readonly RunEvent[]): LogEntry[] {
  const { messageId, input } = run.request
  const all: RunEvent[] = [{ type: 'run.started', agent: 'dice', messageId, input }, ...events]
  return all.map((event, index) => ({ seq: index + 1, at: run.createdAt + index, event }))
}

/** The conversation before the run, and its own message, for protocols that need it. */
export const historyBefore: readonly Message[] = [
  {
    role: 'user',
    id: 'msg_first',
    clientId: 'client-first',
    parts: [{ type: 'text', text: 'Who is there?' }],
  },
  {
    role: 'assistant',
    id: 'msg_answer',
    status: 'finished',
    parts: [
      { type: 'step', model: 'offline' },
      { type: 'reasoning', partId: 'run_past.1', text: 'Hm.', open: false, provider: 'SECRET' },
      { type: 'text', partId: 'run_past.2', text: 'I look.', open: false },
      {
        type: 'tool',
        callId: 'run_past.3',
        tool: 'look',
        state: 'returned',
        inputText: '',
        input: { at: 'door' },
        output: null,
        text: 'A fox.',
      },
      { type: 'step', model: 'offline' },
      { type: 'text', partId: 'run_past.4', text: 'A fox.', open: false },
    ],
  },
  { role: 'user', id: run.request.messageId, parts: run.request.input },
]
