import type { AgentServices } from 'dragoman/agents'
import { readMcpServers } from 'dragoman/mcp'
import type { AgentModule } from 'dragoman/modules'
import { quoteUntrustedPage } from '@dragoman/agent-kit/text/quote-untrusted-page'
import { assistantAgent } from './agent.ts'
import { demo } from './demo.ts'
import { crisisGuardrail } from './crisis-guardrail.ts'
import { fetchPageTool } from './pages/fetch-page-tool.ts'
import { buildRunInstructions, buildTrustingInstructions, readPagePrompt } from './run-instructions.ts'
import type { AssistantSettings } from './settings.ts'
import { askAgentTool } from './tools/ask-agent-tool.ts'
import { calculateTool } from './tools/calculate-tool.ts'
import { currentTimeTool } from './tools/current-time-tool.ts'
import { searchConversationsTool } from './tools/search-conversations-tool.ts'
import { updateStateTool } from './tools/update-state-tool.ts'

/** The general agent: it uses the tools of the page, its own tools, and the tools of MCP servers. */
export function assistant(services: AgentServices<AssistantSettings>): AgentModule {
  const { mcp, pageInstructions } = services.settings
  const tools = [
    fetchPageTool(services.safeFetch),
    calculateTool,
    currentTimeTool(() => new Date()),
    searchConversationsTool(services.searchMessages),
  ]
  return {
    agent: {
      ...assistantAgent,
      tools,
      mcp: readMcpServers(mcp, 'config.yaml'),
      runInstructions: pageInstructions ? buildTrustingInstructions : buildRunInstructions,
    },
    context: { format: quoteUntrustedPage },
    isDefault: true,
    async toolsFor(scope) {
      const isPrompt = pageInstructions && readPagePrompt(scope.state) !== undefined
      const stateTools = scope.state === undefined || isPrompt ? [] : [updateStateTool]
      return { tools: [...askAgentTool(services), ...stateTools], notes: [] }
    },
    inputGuardrail: crisisGuardrail,
    demo,
  }
}
