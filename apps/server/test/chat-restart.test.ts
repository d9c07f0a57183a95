import { expect, it } from 'vitest'

import { isFull } from '../../../test/support/is-full.ts'
import { useProcesses } from '../../../test/support/use-processes.ts'

type Text = { readonly type: string; readonly text: string }

const processes = useProcesses()

it.runIf(isFull)(
  'continues a chat in a terminal after the server was killed, without doubled or lost text',
  { timeout: 90_000 },
  async () => {
    const env = { PATH: process.env['PATH'] ?? '', DRAGOMAN_OFFLINE_PACE: '10' }
    const serve = (port: string) => processes.start(['--port', port, '--home', processes.home], env)
    const server = serve('0')
    const url = await server.ready
    const chat = processes.start(['chat', 'Hello', '--url', url], env)
    await expect.poll(() => chat.output.stdout, { timeout: 10_000 }).not.toBe('')

    server.kill()
    await server.ended
    await expect.poll(() => chat.output.stderr).toContain('Connection lost; reconnecting …')
    await serve(new URL(url).port).ready
    const { code, stdout, stderr } = await chat.ended

    const { runs } = (await (await fetch(`${url}/v1/runs`)).json()) as { runs: readonly { id: string }[] }
    const read = await fetch(`${url}/v1/runs/${runs[0]?.id}`)
    const { message } = (await read.json()) as { message: { parts: readonly Text[] } }
    const texts = message.parts.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
    expect({ code, text: stdout.replaceAll('\n', '') }).toEqual({
      code: 0,
      text: texts.join('').replaceAll('\n', ''),
    })
    expect(stderr).toContain('The server restarted; the answer continues.')
  },
)
