import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { LogEntry, RunEvent } from '../events/index.ts'
import type { Notifier } from './notifier.ts'
import { runLog } from './run-log.ts'
import { newRun } from './store-claims.contract.ts'
import type { Store } from './store.ts'

/** `write` makes news as another process would. */
export type NotifierRig = {
  notifier: Notifier
  store: Store
  write(): Promise<unknown>
  close(): Promise<void>
}

export function describeNotifier(
  name: string,
  reach: 'process' | 'host',
  open: () => Promise<NotifierRig>,
): void {
  describe(`${name} as a notifier`, () => {
    let rig: NotifierRig
    beforeEach(async () => {
      rig = await open()
    })
    afterEach(() => rig.close())

    it('tells those who listen to a topic, and nobody after they have left', async () => {
      const onNews = vi.fn<() => void>()
      const unlisten = await rig.notifier.listen('run_1', onNews)

      rig.notifier.notify('run_1')
      rig.notifier.notify('run_2')
      expect(onNews).toHaveBeenCalledTimes(1)

      await unlisten()
      rig.notifier.notify('run_1')
      expect(onNews).toHaveBeenCalledTimes(1)
    })

    it('tells each of several listeners', async () => {
      const calls = [vi.fn<() => void>(), vi.fn<() => void>()]
      for (const onNews of calls) await rig.notifier.listen('run_1', onNews)

      rig.notifier.notify('run_1')

      for (const onNews of calls) expect(onNews).toHaveBeenCalledTimes(1)
    })

    it('hands over what is appended, so that a follower need not read it', async () => {
      const { store, notifier } = rig
      const read = vi.fn<Store['read']>(store.read)
      const log = runLog({ ...store, read }, notifier)
      const partId = 'run_7.1'
      const events: RunEvent[] = [
        ...Array.from({ length: 100 }, (_, at): RunEvent => ({
          type: 'text.delta',
          partId,
          delta: `${at} `,
        })),
        { type: 'run.finished', reason: 'stop', usage: { inputTokens: 1, outputTokens: 100 } },
      ]
      await store.create(newRun('run_7'), 'reject')
      const entries: LogEntry[] = []
      const batches = log.follow('run_7', 0, AbortSignal.timeout(30_000))
      entries.push(...((await batches.next()).value ?? []))

      for (const event of events) {
        await log.append('run_7', [event])
        entries.push(...((await batches.next()).value ?? []))
      }

      expect(entries.slice(1).map(({ event }) => event)).toEqual(events)
      expect(read.mock.calls.length).toBeLessThanOrEqual(2)
    })

    it.runIf(reach === 'host')('tells of what another process wrote', async () => {
      const news = Promise.withResolvers<string>()
      await rig.notifier.listen('run_1', () => news.resolve('news'))

      await rig.write()

      expect(await news.promise).toBe('news')
    })
  })
}
