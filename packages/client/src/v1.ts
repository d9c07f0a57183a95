export type { Message, UserMessage, UserPart } from 'dragoman/events'
export type {
  Agent,
  Finding,
  FoundMessage,
  Load,
  McpServer,
  Node,
  Operations,
  Provider,
  Question,
  Run,
  Session,
  Thread,
  Token,
  User,
} from './api-types.ts'
export {
  createClient,
  type Client,
  type ClientOptions,
  type OperationInput,
  type OperationName,
  type OperationResult,
} from './create-client.ts'
export type { Change } from './read-changes.ts'
