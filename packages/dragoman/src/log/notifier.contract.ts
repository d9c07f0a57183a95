import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Notifier } from './notifier.ts'

/** `write` makes news as another process would. */
export type NotifierRig = { notifier: Notifier; write(): Promise<unknown>; close(): Promise<void> }

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

    it.runIf(reach === 'host')('tells of what another process wrote', async () => {
      const news = Promise.withResolvers<string>()
      await rig.notifier.listen('run_1', () => news.resolve('news'))

      await rig.write()

      expect(await news.promise).toBe('news')
    })
  })
}
