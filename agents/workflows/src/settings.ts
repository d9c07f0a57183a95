import type { Json } from 'dragoman/events'

export type WorkflowsSettings = { readonly workflows: Json }
