import { expect, it } from 'vitest'

import { call, finish, say, type Run, type Step } from './engine-harness.fixture.ts'

/** How an engine ends if its model fails or its host aborts. */
export function describeFailure(run: Run): void {
  it.each([
    ['before the first token', []],
    ['in the middle', say('Hel')],
  ])('converts a model error %s to a ServiceError without its message', async (_place, before) => {
    const result = await run([[...before, { type: 'error', error: new Error('key sk-secret') }]])

    expect(result.error).toMatchObject({ code: 'model-failed' })
    expect(String(result.error)).not.toContain('sk-secret')
    expect(result.types()).not.toContain('step.finished')
  })

  it.each([
    ['cannot be reached', new Error('no route')],
    ['fails before its first word', [{ type: 'error', error: new Error('overloaded') }]],
  ] as const)('throws and starts no step if the model %s', async (_what, step) => {
    const result = await run([step])

    expect(result.error).toMatchObject({ code: 'model-failed' })
    expect(result.events).toEqual([])
  })

  it('throws if a stream ends without a finish part', async () => {
    const result = await run([say('Hel')])

    expect(result.error).toMatchObject({ code: 'model-failed' })
    expect(result.types()).not.toContain('step.finished')
  })

  it.each([
    [
      'text',
      [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'a' },
      ],
    ],
    ['the input of a call', [{ type: 'tool-input-start', id: 'c', toolName: 'look' }]],
  ] as const)('returns after an abort in %s, and aborts the model request', async (_place, parts) => {
    const result = await run([[...parts, 'hang']], { abortAfter: parts.length + 1 })

    expect(result.error).toBeUndefined()
    expect(result.requestAborted).toBe(true)
  })

  it('does not call the model after an abort', async () => {
    const result = await run([say('Hel')], { abortAfter: 0 })

    expect(result.error).toBeUndefined()
    expect(result.requests).toEqual([])
  })

  it('starts no step if it is aborted before the first output', async () => {
    const result = await run([[...say('Hel'), 'hang']], { abortAtRequest: 1 })

    expect(result.error).toBeUndefined()
    expect(result.events).toEqual([])
    expect(result.modelCalls).toHaveLength(1)
  })

  it('returns after an abort even if the model continues', async () => {
    const result = await run([[{ type: 'text-start', id: 't' }, 'deaf']], { abortAfter: 2 })

    expect(result.error).toBeUndefined()
    expect(result.types()).toEqual(['step.started', 'text.started'])
  })

  it.each(['returns late', 'never returns'])('returns after an abort in a tool that %s', async (how) => {
    let texts = 0
    const result = await run([[...call('c1', 'look', '{}'), finish('tool-calls')]], {
      outcome: (_call, { abort, events }) => {
        texts = events.length
        abort()
        if (how === 'never returns') return new Promise(() => undefined)
        return Promise.resolve({ ok: false, output: null, text: 'The run was stopped.' })
      },
    })

    expect(result.error).toBeUndefined()
    expect(result.requests).toHaveLength(1)
    expect(result.events).toHaveLength(texts)
  })

  it('emits no event and calls no model after an abort at any event', async () => {
    const script: Step[] = [
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
        { type: 'reasoning-end', id: 'r' },
        ...say('I ', 'look.'),
        ...call('c1', 'look', '{"at":1}'),
        ...call('c2', 'nonesuch', '{"at"'),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ]
    const complete = await run(script)
    const aborted = await Promise.all(
      complete.events.map((_event, index) => run(script, { abortAfter: index + 1 })),
    )

    expect(aborted.map(({ error }) => error)).toEqual(complete.events.map(() => undefined))
    expect(aborted.map(({ events }) => events)).toEqual(
      complete.events.map((_event, index) => complete.events.slice(0, index + 1)),
    )
    const countSteps = (events: typeof complete.events) =>
      events.filter(({ type }) => type === 'step.started').length
    const steps = aborted.map(({ events }) => countSteps(events))
    expect(aborted.map(({ requests }) => requests.length)).toEqual(steps)
    expect(aborted.map(({ modelCalls }) => modelCalls.length)).toEqual(steps)
  })
}
