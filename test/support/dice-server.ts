import { z } from 'zod'

import { loaded } from './loaded-modules.ts'

const { createServer, defineAgent, defineTool, readConfig } =
  await import('../../packages/dragoman/src/index.ts')

const roll = defineTool({
  name: 'roll',
  description: 'Rolls one die.',
  inputSchema: z.object({ sides: z.number().int().min(2) }),
  execute: ({ sides }) => 1 + Math.floor(Math.random() * sides),
})
const dice = defineAgent({ id: 'dice', instructions: 'Roll dice with your tool.', tools: [roll] })

const config = readConfig(process.argv.slice(2), process.env)
const server = await createServer({ agents: [dice], config })
process.stdout.write(`dragoman ready ${await server.listen()}\n`)
process.once('SIGTERM', () => {
  process.stdout.write(`loaded ${JSON.stringify(loaded)}\n`)
  void server.close()
})
