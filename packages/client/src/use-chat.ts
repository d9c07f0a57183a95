export type { InferUIMessage, InferUITools, ServerData } from './infer-ui-message.ts'
export type { JsonForm } from './json-form.ts'
