// CopilotKit's runtime in Node, before a dragoman: node runtime.mjs
import { createServer } from 'node:http'

import { HttpAgent } from '@ag-ui/client'
import { CopilotRuntime } from '@copilotkit/runtime/v2'
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node'

/** Serves the runtime on a free port, or the one that is named, and gives its address. */
export async function openRuntime(dragoman, port = 0) {
  // CopilotKit's Stop reaches the agent's server as a line that was cut: whoever cuts this one wants the run to end.
  const url = `${dragoman}/ag-ui/assistant?disconnect=stop`
  const runtime = new CopilotRuntime({ agents: { default: new HttpAgent({ url }) } })
  const server = createServer(createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' }))
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/api/copilotkit`, close: () => server.close() }
}

if (import.meta.main) {
  const { url } = await openRuntime(process.env.DRAGOMAN_URL ?? 'http://127.0.0.1:3033', 4000)
  process.stdout.write(`runtimeUrl ${url}\n`)
}
