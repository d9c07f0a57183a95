import type { AgentServices } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'
import { quoteUntrustedPage } from '@dragoman/agent-kit/text/quote-untrusted-page'
import { assistantAgent } from './agent.ts'
import { demo } from './demo.ts'
import { guardrail } from './guardrail.ts'
import type { AssistantSettings } from './settings.ts'
import { mcpConditions, mcpFeature } from './mcp/mcp-feature.ts'
import { fetchPage } from './pages/fetch-page.ts'
import type { Feature } from './feature.ts'
import { askAgent } from './tools/ask-agent.ts'
import { calculate } from './tools/calculate.ts'
import { currentTime } from './tools/current-time.ts'
import { searchConversations } from './tools/search-conversations.ts'
import { stateFeature } from './tools/update-state.ts'

/** Helps with whatever the page that it stands in has tools for, and with some of its own. */
export function assistant(services: AgentServices<AssistantSettings>): AgentModule {
  const features: readonly Feature[] = [
    {
      tools: [
        fetchPage(services.safeFetch),
        calculate,
        currentTime(() => new Date()),
        searchConversations(services.searchMessages),
      ],
      toolsFor: async () => ({ tools: askAgent(services), notes: [] }),
    },
    stateFeature(),
    mcpFeature(services),
  ]
  return {
    agent: { ...assistantAgent, tools: features.flatMap(({ tools = [] }) => tools) },
    context: { format: quoteUntrustedPage },
    isDefault: true,
    toolsFor: async (scope) => {
      const found = await Promise.all(features.map(async ({ toolsFor }) => toolsFor?.(scope)))
      return {
        tools: found.flatMap((each) => each?.tools ?? []),
        notes: found.flatMap((each) => each?.notes ?? []),
      }
    },
    inputGuardrail: guardrail,
    async condition() {
      const all = await Promise.all(features.flatMap(({ condition }) => condition?.() ?? []))
      return { available: true, notes: all.flatMap(({ notes }) => notes) }
    },
    doctor: async () =>
      (await mcpConditions(services)).map(({ works, note }) => ({
        level: works ? 'ok' : 'note',
        text: note,
      })),
    demo,
    background: async (signal, report) => {
      await Promise.all(features.map(async ({ background }) => background?.(signal, report)))
    },
  }
}
