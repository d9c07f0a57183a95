import type { UIMessage } from 'ai'
import type { Json, Question, UserPart } from 'dragoman/events'
import type { MessageMetadata } from 'dragoman/protocols/ui-message-stream/wire'

import type { JsonForm } from './json-form.ts'

/** An agent of `defineAgent`, or whatever has its tools. */
type WithTools = { readonly tools: object }

/**
 * The tools of an agent, as `UIMessage` of the AI SDK takes them: inputs and outputs by name. A page imports the type
 * of the agent only, and none of its code. Tools whose names are known at run time only, such as those of MCP servers,
 * are not among them.
 *
 * @example
 * const dice = defineAgent({ id: 'dice', instructions: 'Roll dice with your tool.', tools: [roll] })
 * const called: InferUITools<typeof dice>['roll']['input'] = { sides: 6 }
 */
export type InferUITools<Agent extends WithTools> = Agent['tools'] extends readonly (infer Tool)[]
  ? { [Each in Tool as LiteralName<Each>]: UITool<Each> }
  : { [Name in keyof Agent['tools'] & string as KnownName<Name>]: UITool<Agent['tools'][Name]> }

/**
 * The messages of `useChat` with an agent: `useChat<InferUIMessage<typeof agent>>()`. `Data` are the data parts that
 * its tools write, by their names.
 *
 * @example
 * const dice = defineAgent({ id: 'dice', instructions: 'Roll dice with your tool.', tools: [roll] })
 * type DiceMessage = InferUIMessage<typeof dice, { card: { title: string } }>
 * const sidesOf = ({ parts }: DiceMessage) =>
 *   parts.flatMap((part) => (part.type === 'tool-roll' ? [part.input?.sides] : []))
 */
export type InferUIMessage<Agent extends WithTools, Data extends Record<string, unknown> = {}> = UIMessage<
  MessageMetadata,
  ServerData & { [Name in keyof Data]: JsonForm<Data[Name]> },
  InferUITools<Agent>
>

/**
 * The data parts that the server itself writes, by their names.
 *
 * @example
 * const progress: ServerData['tool-progress'] = { toolCallId: 'run_1.1', delta: 'Searching …' }
 */
export type ServerData = {
  /** What a tool says while it runs. `useChat` passes it to `onData` only. */
  'tool-progress': { readonly toolCallId: string; readonly delta?: string; readonly output?: Json }
  /** A question to the user for which the client's version has no part of its own. */
  question: Omit<Question, 'inPlace' | 'basis'> & {
    readonly callId: string
    readonly tool: string
    readonly input: Json
    readonly state: 'open' | 'answered' | 'closed'
    readonly answer?: { readonly [field: string]: Json }
  }
  /** A message that the user sent while the answer was written. */
  'user-message': { readonly messageId: string; readonly parts: readonly UserPart[] }
}

type UITool<Tool> = { input: InputOf<Tool>; output: JsonForm<OutputOf<Tool>> }

type LiteralName<Tool> = Tool extends { readonly name: infer Name extends string } ? KnownName<Name> : never

type KnownName<Name extends string> = string extends Name ? never : Name

type InputOf<Tool> = Tool extends { readonly '~types'?: { readonly input: infer Input } }
  ? Input
  : Tool extends { readonly inputSchema: infer Schema }
    ? ValueOf<Schema>
    : unknown

/** A tool without `execute` is the client's. Only its `outputSchema` says what the client returns. */
type OutputOf<Tool> = Tool extends { readonly '~types'?: { readonly output: infer Output } }
  ? Output
  : Tool extends { readonly execute: (...call: never) => infer Returned }
    ? Yielded<Returned>
    : Tool extends { readonly outputSchema: infer Schema }
      ? ValueOf<Schema>
      : unknown

type Yielded<Returned> =
  Returned extends AsyncIterable<infer Output>
    ? Output
    : Returned extends PromiseLike<infer Output>
      ? Output
      : Returned

/** The value of a schema: of Standard Schema, of `jsonSchema()`, or of `lazySchema()`. */
type ValueOf<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Value } | undefined }
}
  ? Value
  : Schema extends { readonly _type: infer Value }
    ? Value
    : Schema extends () => { readonly _type: infer Value }
      ? Value
      : never
