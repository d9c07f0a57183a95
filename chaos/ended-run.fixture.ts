import { toFailure } from '../packages/dragoman/src/errors.ts'
import { ServiceError, type LogEntry, type RunEvent } from '../packages/dragoman/src/index.ts'
import { eveJudge } from '../agents/jobs/src/protocols/eve/judge.fixture.ts'
import { bytesOf, coreFormats, type Format } from '../test/laws/encoded.ts'
import { codingFormats } from '../agents/coding/test/laws/formats.ts'
import { eve } from '../agents/jobs/src/protocols/eve/index.ts'
import type { EndedRun } from './run-checks.ts'
import type { Reading } from './read-run.ts'
import { textOf, type Story } from './story.ts'
import { wireFormats } from './wire-formats.ts'

const formats: Readonly<Record<string, Format>> = {
  ...coreFormats,
  ...codingFormats,
  eve: { protocol: eve, judge: eveJudge },
}

const story: Story = {
  name: '1-0',
  pace: 0,
  steps: [
    { thought: 0, words: 2, calls: [{ place: '1-0/0/0', tool: 'write', before: 0, after: 0 }] },
    { thought: 0, words: 2, calls: [] },
  ],
}
export const usage = { inputTokens: 1, outputTokens: 1 }
export const callId = 'run_story.2'
const textPart = (partId: string, delta: string): RunEvent[] => [
  { type: 'text.started', partId },
  { type: 'text.delta', partId, delta },
  { type: 'text.ended', partId },
]
export const events: readonly RunEvent[] = [
  { type: 'run.started', agent: 'pi', messageId: 'msg_user', input: [{ type: 'text', text: 'Go.' }] },
  { type: 'step.started', model: 'chaos:teller' },
  ...textPart('run_story.1', textOf(story, 0)),
  { type: 'tool.called', callId, tool: 'write', input: { place: '1-0/0/0', before: 0, after: 0 } },
  { type: 'tool.executing', callId },
  { type: 'tool.returned', callId, output: 'write', text: 'write' },
  { type: 'step.finished', reason: 'tool-calls', usage },
  { type: 'step.started', model: 'chaos:teller' },
  ...textPart('run_story.3', textOf(story, 1)),
  { type: 'step.finished', reason: 'stop', usage },
  { type: 'run.finished', reason: 'stop', usage },
]
export const interrupted = toFailure(new ServiceError('interrupted', 'The server was interrupted.'))

export function logOf(all: readonly RunEvent[]): LogEntry[] {
  return all.map((event, index) => ({ seq: index + 1, at: 1000 + index, event }))
}

/** A run with this log and two readers per protocol: one reads it at once, one in two visits. */
export async function endedRun(log: readonly LogEntry[], more: Partial<EndedRun> = {}): Promise<EndedRun> {
  const calls = log.flatMap(({ event }) => (event.type === 'tool.called' ? [event.callId] : []))
  const wholes: Record<string, EndedRun['wholes'][string]> = {}
  const readings: Reading[] = []
  for (const [name, protocol] of Object.entries(wireFormats)) {
    const format = formats[name]
    if (!format) throw new Error(`There is no format ${name}.`)
    const body = bytesOf(format.protocol, log, { view: format.view ?? {} })
    const frames = protocol.frames(body)
    wholes[name] = { frames, content: await protocol.read(body, new Set(calls)) }
    readings.push({ protocol: name, visits: [{ after: undefined, frames, end: 'closed' }] })
    const had = frames.slice(0, 5)
    const again = protocol.cursors
      ? { after: had.at(-1)?.cursor, frames: frames.slice(5), end: 'closed' as const }
      : { after: undefined, frames, end: 'closed' as const }
    readings.push({ protocol: name, visits: [{ after: undefined, frames: had, end: 'lost' }, again] })
  }
  return {
    story,
    runId: 'run_story',
    thread: 'chaos-1',
    entries: log,
    readings,
    answers: [],
    wholes,
    stopped: false,
    met: false,
    struck: false,
    mayBeGivenUp: false,
    ...more,
  }
}

/** The same run with one changed reader. */
export function readOtherwise(
  run: EndedRun,
  protocol: string,
  change: (reading: Reading) => Reading,
): EndedRun {
  const at = run.readings.findIndex((reading) => reading.protocol === protocol)
  const reading = run.readings[at]
  return reading ? { ...run, readings: run.readings.with(at, change(reading)) } : run
}

export const framesChanged =
  (change: (frames: Reading['visits'][number]['frames']) => Reading['visits'][number]['frames']) =>
  ({ protocol, visits }: Reading): Reading => ({
    protocol,
    visits: visits.map(({ after, frames, end }) => ({ after, frames: change(frames), end })),
  })
