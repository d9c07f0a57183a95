import { nanoid } from 'nanoid'

import type { LogEntry } from 'dragoman/events'
import type { Notifier } from 'dragoman/stores'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { describeNotifier } from '../../../dragoman/src/log/notifier.contract.ts'
import { memoryStore } from '../../../dragoman/src/stores/memory/index.ts'
import { openNotifier } from '../index.ts'
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.fixture.ts'
import { findBuses } from './bus.fixture.ts'

type News = readonly LogEntry[] | undefined

const entry = (seq: number, delta: string): LogEntry => ({
  seq,
  at: 1,
  event: { type: 'text.delta', partId: 'run_1.1', delta },
})

/** All notices of a topic. `next` waits for the one after those that it gave before. */
async function record(notifier: Notifier, topic: string) {
  const all: News[] = []
  let arrival = Promise.withResolvers<void>()
  let index = 0
  const unlisten = await notifier.listen(topic, (entries) => {
    all.push(entries)
    arrival.resolve()
    arrival = Promise.withResolvers()
  })
  const next = async (): Promise<News> => {
    while (all.length <= index) await arrival.promise
    return all[index++]
  }
  return { all, next, unlisten }
}

for (const { name, url, isThere } of await findBuses()) {
  describe.runIf(isThere)(`with a server of ${name}`, () => {
    let prefix: string
    let proxy: TcpProxy
    let bytes: Buffer[]
    /** The line of `near` can be cut. */
    let near: Notifier
    let far: Notifier
    beforeEach(async () => {
      prefix = `dragoman-test-${nanoid()}`
      bytes = []
      proxy = await openTcpProxy(url, (part) => bytes.push(part))
      near = await openNotifier(proxy.url, { prefix })
      far = await openNotifier(url, { prefix })
    })
    afterEach(async () => {
      await near[Symbol.asyncDispose]()
      await far[Symbol.asyncDispose]()
      await proxy.close()
    })
    /** How often the server has sent a text to `near`. */
    const countOf = (text: string): number => Buffer.concat(bytes).toString().split(text).length - 1

    describeNotifier(name, 'host', async () => ({
      notifier: near,
      store: memoryStore(),
      write: async () => far.notify('run_1'),
      close: async () => undefined,
    }))

    it('carries the entries of a notice, if they fit into one message', async () => {
      const news = await record(near, 'run_1')

      far.notify('run_1', [entry(1, '软件')])
      expect(await news.next()).toEqual([entry(1, '软件')])
      far.notify('run_1', [entry(2, '软'.repeat(100_000))])
      expect(await news.next()).toBeUndefined()
    })

    it('sends the notices of one turn as one message', async () => {
      const news = await record(near, 'run_1')

      far.notify('run_1', [entry(1, 'a')])
      far.notify('run_1', [entry(2, 'b')])

      expect(await news.next()).toEqual([entry(1, 'a'), entry(2, 'b')])
    })

    it('keeps topics apart, whatever their names', async () => {
      const names = ['run.1', 'run 1', 'run/1', 'run*', 'run.>', '运行', 'run%2E1', 'run_1/outside']
      const news = await Promise.all(names.map((topic) => record(near, topic)))

      for (const [index, topic] of names.entries()) far.notify(topic, [entry(index, topic)])

      for (const [index, topic] of names.entries())
        expect(await news[index]?.next()).toEqual([entry(index, topic)])
      expect(news.map(({ all }) => all.length)).toEqual(names.map(() => 1))
    })

    it('gives a node only what it follows', async () => {
      const past = await record(near, 'run_1')
      await past.unlisten()
      const answer = await record(far, 'run_2')
      // The server reads what one connection sends in order: it has read that `near` left.
      const news = await record(near, 'run_3')

      far.notify('run_1', [entry(1, 'other-text')])
      far.notify('run_2', [entry(1, 'other-text')])
      far.notify('run_3', [entry(1, 'own-text')])
      await news.next()

      expect([countOf('other-text'), countOf('own-text')]).toEqual([0, 1])
      expect([past.all, answer.all]).toEqual([[], [[entry(1, 'other-text')]]])
    })

    it('gives a node its own notices once, and at once', async () => {
      const own = await record(near, 'run_1')
      const other = await record(far, 'run_1')

      near.notify('run_1', [entry(1, 'a')])
      expect(own.all).toEqual([[entry(1, 'a')]])
      await other.next()
      far.notify('run_1', [entry(2, 'b')])
      await own.next()
      await own.next()

      expect(own.all).toEqual([[entry(1, 'a')], [entry(2, 'b')]])
    })

    it('wakes all listeners after its connection was lost, and goes on', async () => {
      const listeners = await Promise.all(['run_1', 'run_1', 'run_2'].map((topic) => record(near, topic)))

      proxy.cut('both')
      expect(await Promise.all(listeners.map(({ next }) => next()))).toEqual([
        undefined,
        undefined,
        undefined,
      ])

      far.notify('run_2', [entry(1, 'a')])
      expect(await listeners[2]?.next()).toEqual([entry(1, 'a')])
    })

    it('has others look after it was away, and follows what was asked for meanwhile', async () => {
      const news = await record(far, 'run_1')
      const before = await record(near, 'run_2')

      proxy.refuse(true)
      proxy.cut('both')
      near.notify('run_1', [entry(1, 'a')])
      const meanwhile = await record(near, 'run_3')
      near.notify('run_1', [entry(2, 'b')])
      expect(news.all).toEqual([])
      proxy.refuse(false)
      expect([await news.next(), await before.next(), await meanwhile.next()]).toEqual([
        undefined,
        undefined,
        undefined,
      ])

      far.notify('run_3', [entry(1, 'c')])
      expect(await meanwhile.next()).toEqual([entry(1, 'c')])
    })

    it('sends what waits before it closes', async () => {
      const news = await record(far, 'run_1')

      near.notify('run_1', [entry(1, 'a')])
      await near[Symbol.asyncDispose]()

      expect(await news.next()).toEqual([entry(1, 'a')])
    })
  })
}
