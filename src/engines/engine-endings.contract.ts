import { expect, it } from 'vitest'

import { call, finish, say, type rigFor, type RigOptions, type Step } from './engine.rig.fixture.ts'

type Run = (steps: readonly Step[], more?: RigOptions) => ReturnType<typeof rigFor>

/** How an engine ends where its model fails or its host aborts. */
export function describeEndings(run: Run): void {
  it.each([
    ['before the first token', []],
    ['in the middle', say('Hel')],
  ])('throws a model error %s as one of ours, without its words', async (_place, before) => {
    const rig = await run([[...before, { type: 'error', error: new Error('key sk-secret') }]])

    expect(rig.error).toMatchObject({ code: 'model-failed' })
    expect(String(rig.error)).not.toContain('sk-secret')
    expect(rig.types()).not.toContain('step.finished')
  })

  it('throws where the model cannot be reached', async () => {
    const rig = await run([new Error('no route')])

    expect(rig.error).toMatchObject({ code: 'model-failed' })
  })

  it('throws where a stream ends without a word of its end', async () => {
    const rig = await run([say('Hel')])

    expect(rig.error).toMatchObject({ code: 'model-failed' })
    expect(rig.types()).not.toContain('step.finished')
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
  ] as const)('returns when it is aborted in %s, and aborts the model request', async (_place, parts) => {
    const rig = await run([[...parts, 'hang']], { abortAfter: parts.length + 1 })

    expect(rig.error).toBeUndefined()
    expect(rig.requestAborted).toBe(true)
  })

  it('returns when it is aborted in a tool', async () => {
    const rig = await run([[...call('c1', 'look', '{}'), finish('tool-calls')]], {
      outcome: (_call, { abort }) => {
        abort()
        return Promise.resolve({ ok: false, output: null, text: 'The run was stopped.' })
      },
    })

    expect(rig.error).toBeUndefined()
    expect(rig.prompts).toHaveLength(1)
  })
}
