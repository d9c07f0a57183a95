import { afterAll, beforeAll } from 'vitest'

import { openServer, type ServerOptions, type TestServer } from './server.ts'

/** Opens one server for all tests of the file or of the `describe` block that calls this. */
export function useServer(options: ServerOptions): Omit<TestServer, keyof AsyncDisposable> {
  let open: TestServer | undefined
  beforeAll(async () => {
    open = await openServer(options)
  })
  afterAll(() => open?.[Symbol.asyncDispose]())
  const server = (): TestServer => {
    if (!open) throw new Error('The server opens before the first test.')
    return open
  }
  return {
    get url() {
      return server().url
    },
    get home() {
      return server().home
    },
    token: (user) => server().token(user),
    fetch: (request) => server().fetch(request),
  }
}
