/** Names of attributes: OpenTelemetry's conventions for generative AI, and own names where they have none. */
export const attributeNames = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  conversation: 'gen_ai.conversation.id',
  agentId: 'gen_ai.agent.id',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  callId: 'gen_ai.tool.call.id',
  tokenType: 'gen_ai.token.type',
  userHash: 'user.hash',
  errorType: 'error.type',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  cpuMode: 'cpu.mode',
} as const

export const metricNames = {
  tokens: 'gen_ai.client.token.usage',
  duration: 'gen_ai.client.operation.duration',
  firstChunk: 'gen_ai.client.operation.time_to_first_chunk',
  loopMean: 'nodejs.eventloop.delay.mean',
  loopP99: 'nodejs.eventloop.delay.p99',
  loopMax: 'nodejs.eventloop.delay.max',
} as const

export const ownAttributeNames = {
  runId: 'dragoman.run.id',
  outcome: 'dragoman.run.outcome',
  attempt: 'dragoman.run.attempt',
  protocol: 'dragoman.run.protocol',
  steps: 'dragoman.run.steps',
  estimated: 'dragoman.usage.estimated',
  side: 'dragoman.tool.side',
  waited: 'dragoman.tool.waited',
  agent: 'dragoman.agent',
} as const

/**
 * The provider, as the conventions name it, and the model of a name like `anthropic:claude-x`. A name without a
 * provider is both.
 */
export function splitModelName(model: string): { readonly provider: string; readonly model: string } {
  const at = model.indexOf(':')
  const provider = at < 0 ? model : model.slice(0, at)
  return { provider: PROVIDERS.get(provider) ?? provider, model: model.slice(at + 1) }
}

const PROVIDERS = new Map([['google', 'gcp.gemini']])
