import { expect } from 'vitest'

import { ServiceError } from '../../packages/dragoman/src/index.ts'
import { breakOff } from '../../packages/dragoman/src/testing/script.ts'
import { calls, ends, FAILED, refuses, says, step, thinks, type Script } from './scripted-model.ts'

/** What happens in a run, and what a client of the AI SDK has of it in the end. */
export type Story = {
  readonly script: Script
  readonly parts: readonly UiPart[]
  /** How it ends: well, for a reason, or with a sentence for the user. */
  readonly end: { readonly reason: string } | { readonly error: string }
}

type UiPart = { readonly type: string; readonly [key: string]: unknown }

const began: UiPart = { type: 'step-start' }

/** For an agent with `storyTools` and `STORY_STEPS`. */
export const stories: Readonly<Record<string, Story>> = {
  'plain text': {
    script: [step(says('Hello', ', ', 'wörld', ' 你好.'))],
    parts: [began, text('Hello, wörld 你好.')],
    end: { reason: 'stop' },
  },
  'reasoning before text': {
    script: [step(thinks('Let me ', 'think.'), says('I have ', 'thought.'))],
    parts: [began, { type: 'reasoning', text: 'Let me think.', state: 'done' }, text('I have thought.')],
    end: { reason: 'stop' },
  },
  'a text that is too long': {
    script: [step(says('And so on and'), ends('length'))],
    parts: [began, text('And so on and')],
    end: { reason: 'length' },
  },
  'a tool that returns': {
    script: [
      step(says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(thinks('Rain, then.'), says('It rains ', 'in Oslo.')),
    ],
    parts: [
      began,
      text('I look.'),
      {
        ...returned('weather', { city: 'Oslo' }),
        output: { city: 'Oslo', sky: 'rain' },
      },
      began,
      { type: 'reasoning', text: 'Rain, then.', state: 'done' },
      text('It rains in Oslo.'),
    ],
    end: { reason: 'stop' },
  },
  'two tools at once, the second done first': {
    script: [
      step(calls('c1', 'slow', { name: 'a' }), calls('c2', 'quick', { name: 'b' })),
      step(says('Both are back.')),
    ],
    parts: [
      began,
      { ...returned('slow', { name: 'a' }), output: null },
      { ...returned('quick', { name: 'b' }), output: null },
      began,
      text('Both are back.'),
    ],
    end: { reason: 'stop' },
  },
  'one call id in two steps': {
    script: [
      step(calls('c1', 'weather', { city: 'Oslo' })),
      step(calls('c1', 'weather', { city: 'Rome' })),
      step(says('That is all.')),
    ],
    parts: [
      began,
      returned('weather', { city: 'Oslo' }),
      began,
      returned('weather', { city: 'Rome' }),
      began,
      text('That is all.'),
    ],
    end: { reason: 'stop' },
  },
  'a tool that says why it fails': {
    script: [step(calls('c1', 'station', {})), step(says('It is closed.'))],
    parts: [began, failed('station', {}, 'The station is closed.'), began, text('It is closed.')],
    end: { reason: 'stop' },
  },
  'a tool that breaks': {
    script: [step(calls('c1', 'radar', {})), step(says('Sorry.'))],
    parts: [began, failed('radar', {}, 'ENOENT [path]'), began, text('Sorry.')],
    end: { reason: 'stop' },
  },
  'an unknown tool': {
    script: [step(calls('c1', 'teleport', { to: 'Mars' })), step(says('I cannot.'))],
    parts: [
      began,
      failed('teleport', { to: 'Mars' }, 'There is no tool named teleport.'),
      began,
      text('I cannot.'),
    ],
    end: { reason: 'stop' },
  },
  'input that the tool does not take': {
    script: [step(calls('c1', 'weather', { city: 5 })), step(says('Which city?'))],
    parts: [
      began,
      failed('weather', { city: 5 }, expect.stringContaining('The input of weather is not as it must be.')),
      began,
      text('Which city?'),
    ],
    end: { reason: 'stop' },
  },
  'input that is no JSON': {
    script: [step(calls('c1', 'weather', ['{"city": ', '"Os'])), step(says('Once more?'))],
    parts: [
      began,
      failed('weather', '{"city": "Os', 'The input of weather is no valid JSON.'),
      began,
      text('Once more?'),
    ],
    end: { reason: 'stop' },
  },
  'more steps than are allowed': {
    script: [
      step(says('First.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('Second.'), calls('c2', 'weather', { city: 'Rome' })),
      step(says('Third.'), calls('c3', 'weather', { city: 'Bonn' })),
    ],
    parts: [
      began,
      text('First.'),
      returned('weather', { city: 'Oslo' }),
      began,
      text('Second.'),
      returned('weather', { city: 'Rome' }),
      began,
      text('Third.'),
      returned('weather', { city: 'Bonn' }),
      began,
    ],
    end: { reason: 'step-limit' },
  },
  'a provider that refuses': {
    script: [refuses(new ServiceError('rate-limited', 'Rate limit exceeded. Please wait 3 seconds.'))],
    parts: [],
    end: { error: 'Rate limit exceeded. Please wait 3 seconds.' },
  },
  'a provider that fails in mid-text': {
    script: [step(says('Half an ', { type: 'error', error: new Error('overloaded, key sk-123') }))],
    parts: [began, text('Half an ')],
    end: { error: FAILED },
  },
  'a line that breaks in mid-text': {
    script: [step(thinks('Hm.'), says('Half an ', breakOff(new TypeError('terminated'))))],
    parts: [began, { type: 'reasoning', text: 'Hm.', state: 'done' }, text('Half an ')],
    end: { error: FAILED },
  },
  "a line that breaks in a tool's input": {
    script: [step(says('I look.'), calls('c1', 'weather', ['{"ci', breakOff(new TypeError('terminated'))]))],
    parts: [
      began,
      text('I look.'),
      {
        type: 'tool-weather',
        state: 'output-error',
        errorText: 'The run ended before this call had an outcome.',
      },
      began,
    ],
    end: { error: FAILED },
  },
}

function text(content: string): UiPart {
  return { type: 'text', text: content, state: 'done' }
}

function returned(tool: string, input: unknown): UiPart {
  return { type: `tool-${tool}`, state: 'output-available', input }
}

function failed(tool: string, input: unknown, errorText: unknown): UiPart {
  return { type: `tool-${tool}`, state: 'output-error', input, errorText }
}
