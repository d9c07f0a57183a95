import { isJsonObject, type Json } from 'dragoman/events'
import { thinkingView } from 'dragoman/protocols'

/** The options of one reader. `piClient`: see `isPiClient`. */
export type AgentEventsView = ReturnType<typeof thinkingView> & { readonly piClient?: true }

export function agentEventsView(ofRun: Json, query?: Readonly<Record<string, string>>): AgentEventsView {
  const isPiClient = isJsonObject(ofRun) && ofRun['piClient'] === true
  return { ...thinkingView(ofRun, query), ...(isPiClient && { piClient: true }) }
}
