import {
  array,
  constant,
  constantFrom,
  json,
  nat,
  oneof,
  option,
  record,
  string,
  tuple,
  type Arbitrary,
} from 'fast-check'

import { ServiceError } from '../../packages/dragoman/src/index.ts'
import { breakOff } from '../../packages/dragoman/src/testing/script.ts'
import type { Gate } from './gate.ts'
import { calls, ends, refuses, says, step, thinks, type Act, type Step } from './scripted-model.ts'

type Acts = readonly Act[]

const words = array(string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 4 })
const signature = option(record({ scripted: record({ signature: string() }) }))

/** Signed at its end, or not at all. */
const textParts = tuple(constantFrom(says, thinks), words, signature).map(([say, pieces, signed]) =>
  say(...pieces).map((act) => (signed ? withMetadata(act, signed) : act)),
)

function withMetadata(
  act: Act,
  providerMetadata: { readonly scripted: { readonly signature: string } },
): Act {
  return act.type === 'text-end' || act.type === 'reasoning-end' ? { ...act, providerMetadata } : act
}

/** A tool that is there or not, and input that it takes or does not, that is JSON or not, that was streamed or not. */
const called = record({
  id: constantFrom('c1', 'c2', 'c3'),
  tool: constantFrom('weather', 'station', 'radar', 'nonesuch'),
  input: oneof(constant('{"city":"Oslo"}'), constant('{}'), json(), string()),
  streamed: constantFrom(true, true, false),
}).map(({ id, tool, input, streamed }) =>
  calls(id, tool, input.match(/.{1,5}/gsu) ?? []).slice(streamed ? 0 : -1),
)

/** One that says what was spent, or does not. */
const ending = constantFrom<Act[]>(
  [],
  [],
  ends('stop'),
  ends('length'),
  ends('content-filter'),
  ends('other'),
  ends('stop', { input: undefined, output: undefined }),
)

const sound: Arbitrary<Acts> = tuple(
  array(oneof({ weight: 3, arbitrary: textParts }, { weight: 2, arbitrary: called }), { maxLength: 5 }),
  ending,
).map(([parts, end]) => step(...parts, end))

const failing: Arbitrary<Step> = oneof(
  constant(refuses(new ServiceError('rate-limited', 'Rate limit exceeded.'))),
  tuple(
    sound,
    nat(),
    constantFrom<Act>(
      { type: 'error', error: new Error('overloaded') },
      breakOff(new TypeError('terminated')),
    ),
  ).map(([acts, at, failure]) => acts.toSpliced(at % acts.length, 0, failure)),
  // The line is closed before the last word.
  sound.map((acts) => [...acts.slice(0, -1), breakOff()]),
)

/** What a model may say in the calls of one run, and how it may fail. */
export const scripts: Arbitrary<Step[]> = array(
  oneof({ weight: 6, arbitrary: sound }, { weight: 1, arbitrary: failing }),
  { minLength: 1, maxLength: 4 },
)

/** A script that does not fail, and the same one with a gate somewhere in it. */
export const gated: Arbitrary<{ script: Acts[]; heldAt: (gate: Gate) => Acts[] }> = tuple(
  array(sound, { minLength: 1, maxLength: 4 }),
  nat(),
  nat(),
).map(([script, stepAt, actAt]) => ({
  script,
  heldAt: (gate) => {
    const index = stepAt % script.length
    const acts = script[index] ?? []
    return script.with(index, acts.toSpliced(actAt % (acts.length + 1), 0, gate))
  },
}))
