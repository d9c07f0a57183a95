import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from './index.ts'
import { testToolContext } from './tool.fixture.ts'
import type { ToolDefinition } from './tool.ts'

const act = {
  name: 'act',
  description: 'Acts.',
  inputSchema: z.object({ n: z.number() }),
  execute: (): unknown => 'done',
}
const FIELDS =
  'name, description, inputSchema, execute, idempotent, needsApproval, preview, timeoutMs, answerWithinMs, ' +
  'toModelOutput'

describe('defineTool', () => {
  it.each<[string, object, string]>([
    ['an unknown field', { input: act.inputSchema }, `Tool "act": there is no field input. Use ${FIELDS}.`],
    [
      'a name with a space',
      { name: 'act now' },
      'Tool "act now": name must have 1 to 64 letters, digits, hyphens and underscores, not "act now".',
    ],
    [
      'no name',
      { name: undefined },
      'A tool without a name: name is missing: it must have 1 to 64 letters, digits, hyphens and underscores.',
    ],
    [
      'no description',
      { description: undefined },
      'Tool "act": description is missing: it must be a string.',
    ],
    [
      'no schema',
      { inputSchema: undefined },
      'Tool "act": inputSchema is missing: it must be a schema, such as z.object({ city: ' +
        'z.string() }) of Zod or jsonSchema({ … }) of the AI SDK.',
    ],
    [
      'a plain JSON Schema',
      { inputSchema: { type: 'object' } },
      'Tool "act": inputSchema must be a schema, such as z.object({ city: z.string() }) of Zod or ' +
        "jsonSchema({ … }) of the AI SDK, not { type: 'object' }.",
    ],
    ['no execute', { execute: 'act' }, 'Tool "act": execute must be a function, not "act".'],
    [
      'an approval in words',
      { needsApproval: 'always' },
      'Tool "act": needsApproval must be true, false or a function of the input, not "always".',
    ],
    ...[0, Infinity, 1.5, 2 ** 31].map((timeoutMs): [string, object, string] => [
      `a timeout of ${timeoutMs} ms`,
      { timeoutMs },
      `Tool "act": timeoutMs must be a whole number of milliseconds from 1 to 2147483647, not ${timeoutMs}.`,
    ]),
  ])('refuses %s', (_which, fields, message) => {
    const define = () => defineTool({ ...act, ...fields })

    expect(define).toThrow(expect.objectContaining({ code: 'invalid-request', message }))
  })
})

describe('the outcome of a tool', () => {
  const outcomeOf = (returned: unknown, more: Partial<ToolDefinition<{ n: number }, unknown>> = {}) =>
    defineTool({ ...act, ...more, execute: () => returned }).execute({ n: 2 }, testToolContext)

  it.each([
    ['a string', 'It rained.', 'It rained.', 'It rained.'],
    ['a number', 4, 4, '4'],
    ['null', null, null, 'null'],
    ['an object', { sky: 'rain', at: undefined }, { sky: 'rain' }, '{"sky":"rain"}'],
    ['a date, as JSON has it', new Date(0), '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
    [
      'a plain object with the fields of a result',
      { output: 1, text: 'one' },
      { output: 1, text: 'one' },
      '{"output":1,"text":"one"}',
    ],
    ['a result with a text of its own', toolResult({ output: 1, text: 'one' }), 1, 'one'],
    ['a promise', Promise.resolve('later'), 'later', 'later'],
  ])('accepts %s', async (_which, returned, output, text) => {
    expect(await outcomeOf(returned)).toMatchObject({ output, text })
  })

  it('has no output of a tool that returns nothing', async () => {
    const outcome = await outcomeOf(undefined)

    expect(outcome.text).toBe('null')
    expect(outcome).not.toHaveProperty('output')
  })

  it.each([
    ['a number that JSON cannot hold', { n: 1n }, 'Do not know how to serialize a BigInt'],
    ['an object that holds itself', circular(), 'it is nested deeper than 1000 levels, or contains itself'],
  ])('refuses %s as an output', async (_which, returned, reason) => {
    await expect(outcomeOf(returned)).rejects.toThrow(
      `The output of the tool is not JSON: ${reason}. Return strings, numbers, booleans, null, ` +
        'arrays and plain objects.',
    )
  })

  it('uses the text of toModelOutput for the model', async () => {
    const toModelOutput: ToolDefinition<{ n: number }, unknown>['toModelOutput'] = (call) =>
      `${call.toolCallId}: ${call.input.n} gave ${JSON.stringify(call.output)}`

    expect(await outcomeOf({ sky: 'rain' }, { toModelOutput })).toMatchObject({
      output: { sky: 'rain' },
      text: 'run_1.1: 2 gave {"sky":"rain"}',
    })
  })

  it.each([
    [{ type: 'text', value: 'Rain.' } as const, 'Rain.'],
    [{ type: 'json', value: { sky: 'rain' } } as const, '{"sky":"rain"}'],
    [{ type: 'execution-denied', reason: 'No.' } as const, 'No.'],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'A map:' },
          { type: 'media', data: 'aGk=', mediaType: 'image/png' },
          {
            type: 'file',
            mediaType: 'text/plain',
            data: { type: 'url', url: new URL('https://a.example/b') },
          },
        ],
      } as const,
      'A map:\n[media, image/png]\n[file, text/plain, https://a.example/b]',
    ],
  ])('accepts the forms of the AI SDK for toModelOutput: %j', async (output, text) => {
    expect(await outcomeOf(null, { toModelOutput: () => output })).toMatchObject({ text })
  })

  it('fails with a sentence if toModelOutput returns no text', async () => {
    const outcome = outcomeOf(1, { toModelOutput: () => 4 as unknown as string })

    await expect(outcome).rejects.toThrow(
      "act has run, but its toModelOutput returned no text. Return a string, or { type: 'text', value }.",
    )
  })
})

function circular(): object {
  const self: Record<string, unknown> = {}
  return Object.assign(self, { self })
}
