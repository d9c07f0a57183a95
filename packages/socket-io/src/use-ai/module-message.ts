import type { ModuleMessage } from './message-of-module.ts'
import { useAi } from 'dragoman/protocols'
import { createAgUiRuns } from 'dragoman/surfaces'
import type { Holders } from './holders.ts'
import type { MessageType, SocketApiOptions } from './line.ts'

/** Starts the run that a module's message asks for, and follows it. */
export function moduleMessage(
  { agent, toRequest }: ModuleMessage,
  { holders, ...ports }: SocketApiOptions & { readonly holders: Holders },
): MessageType {
  const { startOrResume } = createAgUiRuns(ports)
  return async ({ connection, followed }, data) => {
    const request = useAi.parse(toRequest(data))
    followed.check()
    const { userId } = connection
    const { run } = await startOrResume(request, { userId, agent, protocol: useAi, policy: 'enqueue' })
    followed.follow(run, { after: '0', watches: !holders.join(run, connection) })
    return { ok: true, runId: run.id }
  }
}
