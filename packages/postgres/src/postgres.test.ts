import { describe, expect, it, vi } from 'vitest'

import { describeNotifier } from '../../dragoman/src/log/notifier.contract.ts'
import { describeStore, newRun } from '../../dragoman/src/log/store.contract.ts'
import { openPostgres } from './index.ts'
import { createTestDatabase, hasServer, openTwoNodes } from './postgres.fixture.ts'

describe.runIf(hasServer)('with a server', () => {
  describeStore('postgres', async () => {
    const { nodes, close } = await openTwoNodes()
    return { store: nodes[0].store, other: nodes[1].store, close }
  })

  describeNotifier('postgres', 'host', async () => {
    const { nodes, close } = await openTwoNodes()
    return {
      notifier: nodes[0].notifier,
      store: nodes[0].store,
      write: async () => {
        await nodes[1].store.create(newRun('run_1'), 'reject')
        nodes[1].notifier.notify('run_1')
      },
      close,
    }
  })

  it('opens an empty database on several nodes at once', async () => {
    const { url, drop } = await createTestDatabase({ isEmpty: true })

    const nodes = await Promise.all(Array.from({ length: 4 }, () => openPostgres(url)))

    await nodes[0]?.store.create(newRun('run_1'), 'reject')
    expect(await nodes[3]?.store.get('run_1')).toMatchObject({ id: 'run_1' })
    await Promise.all(nodes.map(({ close }) => close()))
    await drop()
  })

  it('finds nothing for a name that it cannot store', async () => {
    const { nodes, close } = await openTwoNodes()

    expect(await nodes[0].store.get('run_\0')).toBeUndefined()
    expect(await nodes[0].store.find('ada', 'key\0')).toBeUndefined()
    await close()
  })

  it('carries the entries of a notice to other nodes, if they fit into one', async () => {
    const { nodes, close } = await openTwoNodes()
    const [here, there] = nodes
    const notices: unknown[] = []
    const ended = Promise.withResolvers<void>()
    await there.notifier.listen('run_1', (entries) => {
      notices.push(entries)
      if (notices.length === 2) ended.resolve()
    })
    const entry = (delta: string) =>
      ({ seq: 2, at: 1, event: { type: 'text.delta', partId: 'run_1.1', delta } }) as const

    here.notifier.notify('run_1', [entry('软件')])
    await vi.waitFor(() => expect(notices).toHaveLength(1))
    here.notifier.notify('run_1', [entry('软'.repeat(3000))])
    await ended.promise

    expect(notices).toEqual([[entry('软件')], undefined])
    await close()
  })
})
