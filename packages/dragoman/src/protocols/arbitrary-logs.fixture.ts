import * as fc from 'fast-check'

import type { FinishReason, Json, LogEntry } from '../events/index.ts'
import { buildEvents } from './event-builder.fixture.ts'
import { CONFIRMED_TOOL, logOf } from './stories.fixture.ts'

/** Texts that may break a wire format: half surrogates, line breaks, and the keywords of the formats themselves. */
const hardWords = [
  '😀',
  '\ud83d',
  '\ude00',
  '👩‍👩‍👧',
  '中文，全角',
  'u\u0308',
  '\ufeff',
  '\0',
  '\u001b[0m',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '"',
  '\\',
  '\\u0000',
  '</script>',
  'data: {"type":"finish"}\n\n',
  'id: 3\n',
  '[DONE]',
  '3:"x"\n',
  ': ping',
  'null',
  '__proto__',
  'x'.repeat(3000),
]
const words = fc.oneof(
  fc.constantFrom(...hardWords),
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.lorem({ maxCount: 3 }),
)

const hardJson = [
  '{}',
  'null',
  '[]',
  '0',
  '"{\\"half"',
  '{"constructor":"the builder","prototype":1}',
  '{"__proto__":{"polluted":true}}',
  '{"deep":[{"__proto__":1,"kept":2}]}',
  '{"constructor":{"prototype":{"polluted":true},"kept":2}}',
  '{"constructor":null}',
]
/** As the store gives it back: it has been through JSON. */
const json = fc
  .oneof(
    fc.constantFrom(...hardJson),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    words.map((text) => JSON.stringify({ text })),
  )
  .map((text) => JSON.parse(text) as Json)

const reason = fc.constantFrom<FinishReason>(
  ...(['stop', 'length', 'tool-calls', 'content-filter', 'step-limit', 'interrupted', 'other'] as const),
)
const usage = fc.record({ inputTokens: fc.nat(5000), outputTokens: fc.nat(5000) })

const act = fc.record({
  what: fc.constantFrom(
    ...(['say', 'say', 'say', 'say', 'think', 'think', 'hush', 'begin', 'type', 'type', 'call'] as const),
    ...(['run', 'progress', 'return', 'return', 'fail', 'ask', 'ask', 'answer', 'answer', 'wait'] as const),
    ...(['data', 'share', 'step', 'step', 'crash', 'join', 'cite', 'own', 'provide', 'draw'] as const),
  ),
  pick: fc.nat(7),
  words,
  json,
  toolName: fc.constantFrom(
    CONFIRMED_TOOL,
    CONFIRMED_TOOL,
    'jobs_search',
    'weather',
    'constructor',
    '__proto__',
    '天气',
    'a b/c.d',
  ),
  yes: fc.boolean(),
  reason,
  usage,
})
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const end = fc.record({
  how: fc.constantFrom(...(['run.finished', 'run.failed', 'run.cancelled'] as const)),
  /** The action before which a stop is requested, if the run is cancelled. A stop is requested again at the end. */
  stopAfter: fc.nat(30),
  words,
  reason,
  usage,
})
export type End = typeof end extends fc.Arbitrary<infer T> ? T : never

/** Logs that a run may have written to its end. */
export const completeLogs: fc.Arbitrary<LogEntry[]> = fc
  .tuple(fc.array(act, { maxLength: 30 }), end)
  .map(([acts, ending]) => logOf(buildEvents(acts, ending)))

/** Includes the logs of running runs. */
export const anyLogs: fc.Arbitrary<LogEntry[]> = fc
  .tuple(completeLogs, fc.option(fc.nat(), { nil: undefined, freq: 3 }))
  .map(([log, cut]) => (cut === undefined ? log : log.slice(0, 1 + (cut % log.length))))
