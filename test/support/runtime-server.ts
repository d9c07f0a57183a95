// A server under Bun or Deno, asked once: bun runtime-server.ts HOME
import { createServer, defineAgent, readConfig } from '../../packages/dragoman/src/index.ts'
import { postJson } from './http.ts'

type Serve = (options: object, handler?: (request: Request) => Promise<Response>) => Served
type Served = { port?: number; addr?: { port: number }; stop?(force: boolean): unknown; shutdown?(): unknown }
const { Bun: bun, Deno: deno } = globalThis as { Bun?: { serve: Serve }; Deno?: { serve: Serve } }

const [home = ''] = process.argv.slice(2)
const dice = defineAgent({ id: 'dice', instructions: 'Roll dice.', tools: [] })
const demo = [{ when: /roll/i, say: 'You rolled a 4.' }]
const config = readConfig(['--home', home, '--log-level', 'silent'], {})
const server = await createServer({ agents: [{ agent: dice, demo }], config })
const at = { port: 0, hostname: '127.0.0.1' }
const served = bun
  ? bun.serve({ ...at, fetch: server.fetch })
  : deno?.serve({ ...at, onListen: () => undefined }, server.fetch)
const response = await postJson(`http://127.0.0.1:${served?.port ?? served?.addr?.port}/dice/chat`, {
  message: 'Roll a die.',
})
process.stdout.write(`${response.status} ${await response.text()}\n`)
await server.close()
await (served?.stop?.(true) ?? served?.shutdown?.())
