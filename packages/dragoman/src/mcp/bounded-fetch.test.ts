import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, it } from 'vitest'

import { boundedFetch } from './bounded-fetch.ts'

it.each([200, 500])('reads no endless answer with status %d', async (status) => {
  const piece = Buffer.alloc(1024 ** 2, 'x')
  const server = createServer((_, response) => {
    response.writeHead(status)
    const write = (): void => void response.write(piece)
    response.on('drain', write)
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const response = await boundedFetch(`http://127.0.0.1:${port}/`, { method: 'POST' })

    await expect(response.text()).rejects.toThrow('larger than 16 MB')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
