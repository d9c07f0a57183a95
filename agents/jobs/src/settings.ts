import type { Json } from 'dragoman/events'

export type JobsSettings = { readonly sources: Json }
