import type { AgentServices } from 'dragoman/agents'
import type { AgentModule } from 'dragoman/modules'
import { quoteUntrustedPage } from '@dragoman/agent-kit/text/quote-untrusted-page'
import { assistantAgent } from './agent.ts'
import { demo } from './demo.ts'
import { guardrail } from './guardrail.ts'
import { mcpConditions, mcpFeature } from './mcp/mcp-feature.ts'
import { fetchPage } from './pages/fetch-page.ts'
import type { AssistantSettings } from './settings.ts'
import { askAgent } from './tools/ask-agent.ts'
import { calculate } from './tools/calculate.ts'
import { currentTime } from './tools/current-time.ts'
import { searchConversations } from './tools/search-conversations.ts'
import { updateState } from './tools/update-state.ts'

/** The general agent: it uses the tools of the page, its own tools, and the tools of MCP servers. */
export function assistant(services: AgentServices<AssistantSettings>): AgentModule {
  const mcp = mcpFeature(services)
  const tools = [
    fetchPage(services.safeFetch),
    calculate,
    currentTime(() => new Date()),
    searchConversations(services.searchMessages),
  ]
  return {
    agent: { ...assistantAgent, tools },
    context: { format: quoteUntrustedPage },
    isDefault: true,
    async toolsFor(scope) {
      const { tools: mcpTools, notes } = await mcp.toolsFor(scope)
      const stateTools = scope.state === undefined ? [] : [updateState]
      return { tools: [...askAgent(services), ...stateTools, ...mcpTools], notes }
    },
    inputGuardrail: guardrail,
    condition: mcp.condition,
    doctor: async () =>
      (await mcpConditions(services)).map(({ works, note }) => ({
        level: works ? 'ok' : 'note',
        text: note,
      })),
    demo,
    background: mcp.background,
  }
}
