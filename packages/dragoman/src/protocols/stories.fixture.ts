import type { ClientTool, LogEntry, Message, Run, RunEvent } from '../events/index.ts'
import logs from './stories.fixture.json' with { type: 'json' }

/** Logs of runs, by what happens in them. */
export const stories = logs as unknown as Readonly<Record<keyof typeof logs, readonly RunEvent[]>>

/** The tools that the client of every story runs. The second one needs an approval. */
export const storyTools: readonly ClientTool[] = [
  { name: '查看位置', description: 'Where the user is.', inputSchema: { type: 'object' } },
  { name: 'buy', description: 'Buys it.', inputSchema: { type: 'object' }, confirm: true },
]

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
  crashes: 0,
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
