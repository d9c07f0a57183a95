import { useAi } from '@dragoman/ag-ui/protocol'
import { createAgUiRuns } from '@dragoman/ag-ui/routes'
import type { PageToolSockets } from './page-tool-sockets.ts'
import type { MessageHandler, ModuleMessage, UseAiOptions } from './socket-context.ts'

/** Starts the run of a module's message and follows it. */
export function handleModuleMessage(
  { agent, toRequest }: ModuleMessage,
  { pageToolSockets, ...ports }: UseAiOptions & { readonly pageToolSockets: PageToolSockets },
): MessageHandler {
  const { startOrResume } = createAgUiRuns(ports)
  return async ({ connection, followedRuns }, data) => {
    const request = useAi.parse(toRequest(data))
    followedRuns.checkRoom()
    const { userId } = connection
    const { run } = await startOrResume(request, { userId, agent, protocol: useAi, policy: 'enqueue' })
    followedRuns.follow(run, { after: '0', watches: !pageToolSockets.assign(run, connection) })
    return { ok: true, runId: run.id }
  }
}
