import type { Json } from 'dragoman/events'

/** A message type of an agent module: it starts a run of that agent. See `AgentModule.socketMessages`. */
export type ModuleMessage = {
  readonly type: string
  readonly agent: string
  readonly toRequest: (data: Json) => Json
}
