import type { Json } from 'dragoman/events'

export type AssistantSettings = { readonly mcp: Json }
