import { expect, it } from 'vitest'

import { repairResponse } from './repair-lines.ts'

const message = { jsonrpc: '2.0', id: 1, result: { a: 1 } }
const read = async (body: string): Promise<string> => {
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const repaired = await repairResponse(response, { isOpen: () => true, onFault: () => undefined })
  return repaired.text()
}

it.each(['', '\n', '\r\n', '\nid: 7'])('ends the last event of a stream that ends with %j', async (end) => {
  const events = (await read(`: hi\n\ndata: ${JSON.stringify(message)}${end}`)).split(/\r?\n\r?\n/)

  expect(events.find((event) => event.includes('data:'))).toContain('"a":1}')
  expect(events.length).toBeGreaterThan(2)
})

it('leaves out half an event', async () => {
  expect(await read('data: {"jsonrpc":"2.0","id":1,"res')).toBe('')
})
