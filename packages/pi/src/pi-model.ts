import type { Api, Model } from '@earendil-works/pi-ai'

/** The model that pi holds. The engine's stream function calls the run's own models, so pi never calls this one. */
export const piModel: Model<Api> = {
  id: 'dragoman',
  name: 'dragoman',
  api: 'dragoman',
  provider: 'dragoman',
  baseUrl: '',
  reasoning: false,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
}
