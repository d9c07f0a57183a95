import type { AssistantMessage, AssistantPart, Json } from '@dragoman/client'
import type { Agent, OperationInput, OperationResult, UserMessage, UserPart } from '@dragoman/client/v1'

export type { AssistantMessage, AssistantPart, Json }
export type { Agent, FoundMessage, Question, Run, Thread } from '@dragoman/client/v1'
export type { UserMessage, UserPart }

type AskedCall = Required<Extract<AssistantPart, { type: 'tool' }>>
/** What a call would do, as its tool says when it asks. */
export type Preview = NonNullable<AskedCall['question']['preview']>

/** Whose requests the server takes those of this browser for. */
export type Caller =
  | { readonly valid: true; readonly user: string; readonly name: string | null; readonly guest?: true }
  | { readonly valid: false; readonly guests?: true }

/** A browser module of an agent. */
export type View = Agent['views'][number]

export type OpenThread = OperationResult<'GET /v1/threads/{id}'>

export type FilePart = Extract<UserPart, { type: 'file' }>

export type MessagePage = OperationResult<'GET /v1/threads/{id}/messages'>

/** A message of the thread, or of a run that goes on, whose siblings are not known yet. */
export type Message = (UserMessage | AssistantMessage) &
  Partial<Pick<MessagePage['messages'][number], 'siblings' | 'place'>>

export type Answer = OperationInput<'POST /v1/runs/{id}/answers'>['body']['answer']
