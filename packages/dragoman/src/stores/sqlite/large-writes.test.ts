import { expect, it } from 'vitest'

import type { NewRun, RunEvent } from '../../events/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { openSqlite } from './index.ts'

const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`

function withPicture(id: string): NewRun {
  const run = newRun(id)
  const input = [{ type: 'file', mediaType: 'image/png', url } as const]
  return { ...run, threadId: `thread_${id}`, request: { ...run.request, input } }
}

it('writes large runs and entries one at a time, and small ones in between', async () => {
  const { store } = openSqlite(':memory:')
  await store.create({ ...newRun('run_small'), threadId: 'thread_small' }, 'reject')
  const done: string[] = []
  const write = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await work()
    done.push(name)
  }
  const step: RunEvent = { type: 'step.started', model: 'm' }
  const all = [
    ...Array.from({ length: 6 }, (_, at) =>
      write(`large ${at}`, () => store.create(withPicture(`run_${at}`), 'reject')),
    ),
    write('small', () => store.append('run_small', [step])),
  ]
  await Promise.all(all)

  expect(done.indexOf('small')).toBeLessThan(2)
  expect(done).toHaveLength(7)
  const [started] = await store.read('run_5', 0)
  expect(started?.event).toMatchObject({ type: 'run.started', input: [{ url }] })
  await store[Symbol.asyncDispose]()
})
