import { describeNotifier } from '../../log/notifier.contract.ts'
import { describeStore } from '../../log/store.contract.ts'
import { memoryNotifier, memoryStore } from './index.ts'

describeStore('memory', async () => {
  const store = memoryStore()
  return { store, other: store, close: async () => store[Symbol.asyncDispose]() }
})

describeNotifier('memory', 'process', async () => {
  const notifier = memoryNotifier()
  return {
    notifier,
    store: memoryStore(),
    write: async () => undefined,
    close: async () => notifier[Symbol.asyncDispose](),
  }
})
