import { describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { socketClient } from '../support/socket-client.ts'

describe('a hostile Socket.IO connection', () => {
  const server = useServer({ ...scriptedModel(), users: ['ada'], flags: ['--require-token'] })

  const letIn = () => socketClient(server.url, { auth: { token: server.token('ada') }, reconnection: false })
  const much = `40${JSON.stringify({ token: 'x'.repeat(100_000) })}`

  it('is closed after it leaves its namespace', async () => {
    using client = letIn()
    await client.ask('abort_run', {})
    const { engine } = client.socket.io
    const closed = new Promise((resolve) => engine.once('close', resolve))
    engine.write('1')

    expect(await closed).toBe('transport close')
  })

  it('is closed if it sends much data before it joins', async () => {
    const line = new WebSocket(`${server.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    const received: string[] = []
    line.addEventListener('message', ({ data }) => void received.push(String(data)))
    line.addEventListener('open', () => line.send(much))
    await new Promise((resolve) => line.addEventListener('close', resolve))

    expect(received.filter((each) => !each.startsWith('0'))).toEqual([])
  })

  it('has the same limit over polling', async () => {
    const address = `${server.url}/socket.io/?EIO=4&transport=polling`
    const { sid } = JSON.parse((await (await fetch(address)).text()).slice(1)) as { sid: string }

    await expect(fetch(`${address}&sid=${sid}`, { method: 'POST', body: much })).rejects.toThrow()
    expect((await fetch(`${address}&sid=${sid}`)).status).toBe(400)
  })

  it('gets no echo of a long packet', async () => {
    using client = letIn()
    client.send('nothing', { threadId: 'x'.repeat(100_000), runId: 'short' })
    const { names } = await client.until(({ event }) => event.type === 'RUN_ERROR')

    expect(names).toEqual({ threadId: '', runId: 'short' })
  })
})
