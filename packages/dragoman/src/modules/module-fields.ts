import type { AgentTools } from '../agents/index.ts'
import type { AgentModule } from './agent-module.ts'

const FIELDS: Readonly<Record<keyof AgentModule, true>> = {
  agent: true,
  toolsFor: true,
  routes: true,
  surfaces: true,
  socketMessages: true,
  protocols: true,
  guests: true,
  context: true,
  outputGuardrail: true,
  inputGuardrail: true,
  demo: true,
  views: true,
  userData: true,
  prune: true,
  skillsUsed: true,
  storedBytes: true,
  needsPlace: true,
  isDefault: true,
  delegation: true,
  condition: true,
  background: true,
  doctor: true,
}

/** A field without an effect. Of a guardrail with a wrong name, nothing else would say that it never ran. */
export function moduleFieldFault(module: AgentModule<AgentTools>): string | undefined {
  const unknown = Object.keys(module).find((field) => !Object.hasOwn(FIELDS, field))
  return unknown === undefined
    ? undefined
    : `${unknown} is not a field of an agent module. The fields are ${Object.keys(FIELDS).join(', ')}.`
}
