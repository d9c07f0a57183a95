import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../../test/support/create-temp-dir.ts'
import { createDiskSync } from './disk-sync.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts'

const usage = { inputTokens: 0, outputTokens: 0 }
const finish = (id: number, run: string): WorkerRequest => ({
  id,
  operation: 'append',
  args: [run, [{ type: 'run.finished', reason: 'stop', usage }]],
})
const read = (id: number, run: string): WorkerRequest => ({ id, operation: 'read', args: [run, 0] })

async function openSync(hasLog = true) {
  const file = join(await createTempDir(), 'a.db')
  if (hasLog) await writeFile(`${file}-wal`, 'frames')
  const sends: number[][] = []
  const failures: WorkerAnswer[] = []
  const sync = createDiskSync(file, {
    send(answers) {
      sends.push(answers.map(({ id }) => id))
      failures.push(...answers.filter(({ error }) => error))
    },
    onFailure: () => undefined,
  })
  const answer = (...requests: WorkerRequest[]): void =>
    sync.answer(
      requests,
      requests.map(({ id }) => ({ id })),
    )
  return { answer, sends, failures, close: sync.close }
}

describe('a commit that must be on the disk', () => {
  it('is told once it is there, and so is all of its run; all else at once', async () => {
    const { answer, sends, close } = await openSync()
    answer(finish(1, 'run_a'), read(2, 'run_a'), read(3, 'run_b'))
    answer(read(4, 'run_a'), read(5, 'run_b'), finish(6, 'run_c'), read(7, 'run_c'))

    expect(sends).toEqual([[3], [5]])
    await close()
    expect(sends).toEqual([[3], [5], [1, 2, 4], [6, 7]])
  })

  it('makes nothing wait that comes after it is there', async () => {
    const { answer, sends, close } = await openSync()
    answer(finish(1, 'run_a'))
    await expect.poll(() => sends).toEqual([[1]])
    answer(read(2, 'run_a'))

    expect(sends).toEqual([[1], [2]])
    await close()
  })

  it('does not wait for what was refused', async () => {
    const file = join(await createTempDir(), 'a.db')
    const sends: WorkerAnswer[][] = []
    const sync = createDiskSync(file, { send: (answers) => sends.push(answers), onFailure: () => undefined })
    const refused = [{ id: 1, error: { message: 'no' } }]
    sync.answer([finish(1, 'run_a')], refused)

    expect(sends).toEqual([refused])
    await sync.close()
  })

  it('is a failure where the disk refuses it', async () => {
    const { answer, sends, failures, close } = await openSync(false)
    answer(finish(1, 'run_a'), read(2, 'run_b'))
    await close()

    expect(sends.flat().toSorted((a, b) => a - b)).toEqual([1, 2])
    expect(failures).toMatchObject([{ id: 1, error: { message: expect.stringContaining('ENOENT') } }])
  })
})
