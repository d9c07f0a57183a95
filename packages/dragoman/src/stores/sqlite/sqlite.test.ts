import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describeNotifier } from '../../log/notifier.contract.ts'
import { describeStore, newRun } from '../../log/store.contract.ts'
import { openSqlite } from './index.ts'

/** Two stores on one file, each with a thread and a connection of its own, as two processes have. */
async function openTwo() {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
  const [here, there] = [openSqlite(join(folder, 'a.db')), openSqlite(join(folder, 'a.db'))]
  return {
    here,
    there,
    close: async () => {
      await Promise.all([here, there].map(({ store }) => store[Symbol.asyncDispose]()))
      await rm(folder, { recursive: true })
    },
  }
}

describeStore('sqlite', async () => {
  const { here, there, close } = await openTwo()
  return { store: here.store, other: there.store, close }
})

describeNotifier('sqlite', 'host', async () => {
  const { here, there, close } = await openTwo()
  return {
    ...here,
    write: () => there.store.create(newRun('run_1'), 'reject'),
    close,
  }
})
