import { expect, it } from 'vitest'

import { call, finish, say, type Run } from './engine-harness.fixture.ts'

/** How an engine behaves with a slow host and with a failing host. */
export function describeHost(run: Run): void {
  it('waits for a slow host without delaying its calls', async () => {
    let behind = false
    const result = await run(
      [
        [...say('a', 'b'), ...call('c1', 'look', '{}'), finish('tool-calls')],
        [...say('c'), finish()],
      ],
      {
        emit: async ({ type }) => {
          // Its promise lasts until the calls have their outcomes.
          if (type === 'step.finished') return
          expect(behind).toBe(false)
          behind = true
          await new Promise(setImmediate)
          behind = false
        },
        outcome: async ({ tool }) => {
          expect(behind).toBe(false)
          return { ok: true, output: null, text: `outcome of ${tool}` }
        },
      },
    )

    expect(result.error).toBeUndefined()
    expect(result.prompts[1]).toContain('outcome of look')
    expect(result.types().filter((type) => type === 'step.finished')).toHaveLength(2)
  })

  it.each(['throws', 'rejects'])(
    'passes on what a host %s at an event, and cancels the model',
    async (how) => {
      const full = new Error('The disk is full.')
      const result = await run([[...say('Hel', 'lo'), 'hang']], {
        emit: (event) => {
          if (event.type !== 'text.delta') return undefined
          if (how === 'throws') throw full
          return Promise.reject(full)
        },
      })

      expect(result.error).toBe(full)
      expect(result.types()).toEqual(['step.started', 'text.started', 'text.delta'])
      expect(result.requestAborted).toBe(true)
    },
  )

  it('passes on what a host throws at a call, after the other calls have their outcomes', async () => {
    const broken = new Error('The ledger is gone.')
    let outcomes = 0
    const result = await run(
      [
        [...call('c1', 'look', '{}'), ...call('c2', 'slow', '{}'), finish('tool-calls')],
        [...say('ok'), finish()],
      ],
      {
        outcome: async ({ tool }) => {
          if (tool === 'look') throw broken
          await new Promise(setImmediate)
          outcomes += 1
          return { ok: true, output: null, text: 'done' }
        },
      },
    )

    expect(result.error).toBe(broken)
    expect(outcomes).toBe(1)
    expect(result.requests).toHaveLength(1)
  })

  it('emits every delta of a very long answer in order', async () => {
    const words = Array.from({ length: 20_000 }, (_none, index) => `${index} `)
    const result = await run([
      [...say(...words), ...call('c1', 'look', '{}'), finish('tool-calls')],
      [...say('ok'), finish()],
    ])

    const texts = result.events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : []))
    expect(texts.join('')).toBe(`${words.join('')}ok`)
    expect(result.prompts[1]).toContain(words.join('').trimEnd())
  })
}
