import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { Json } from '../events/index.ts'

type Body = { readonly [key: string]: Json }

/** A change of requests that a model would refuse: of the request to its package, or of the body that this sends. */
export type Remedy = {
  readonly name: string
  /** Whether it is about one tool. There may be many such. */
  readonly isOfTool?: true
  readonly change?: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions
  readonly changeBody?: (body: Body) => Body
}

/** What a model at one address needs, by name. */
export type Remedies = Map<string, Remedy>

/** `words`: of the provider, without the name of the model. */
export type Refusal = {
  readonly words: string
  readonly request: LanguageModelV4CallOptions
  readonly model: string
  readonly warn: (problem: string) => void
}
