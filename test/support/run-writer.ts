import type { RunEvent } from '../../packages/dragoman/src/index.ts'
import { newRun } from '../../packages/dragoman/src/log/store-claims.contract.ts'
import { openHomeStorage } from './home-storage.ts'
import { client } from './http.ts'
import type { TestServer } from './server.ts'

/** The runs of a process on another machine, whose log is written by hand on the server's own file. */
export async function createRunWriter(server: TestServer) {
  const { store, close } = await openHomeStorage(server.home)
  const owner = 'elsewhere/1/a/b'
  let count = 0
  return {
    /** A run in a conversation of that name; its first entry is written. */
    async begin(name: string) {
      await store.alive(owner, 600_000)
      const { body } = await client(server).json('POST', '/v1/threads', { name })
      const id = `run_by-hand-${String(++count).padStart(4, '0')}`
      const messageId = `msg_by-hand-${String(count).padStart(4, '0')}`
      const storedRun = newRun(id, { threadId: String(body['id']), userId: 'local', messageId })
      const request = { ...storedRun.request, messageId: `msg_user-${String(count).padStart(7, '0')}` }
      const reply = { protocol: 'ui-message-stream', view: { profile: 'v5' } }
      // Claimed at once: the server looks for runs that nobody has claimed.
      const { run } = await store.create({ ...storedRun, request, reply }, 'reject', owner)
      const { epoch } = run
      return {
        id,
        messageId,
        say: (...events: readonly RunEvent[]) => store.append(id, events, { epoch }),
      }
    },
    [Symbol.asyncDispose]: close,
  }
}
