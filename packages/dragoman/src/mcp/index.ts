export { mcpConditions, mcpFeature, type McpFeature } from './mcp-feature.ts'
export { parseServers, readMcpServers } from './server-config.ts'
export type { McpServices } from './mcp-services.ts'
