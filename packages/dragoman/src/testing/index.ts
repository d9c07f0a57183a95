export { gate, type Gate } from './gate.ts'
export {
  breakOff,
  DEFAULT_USAGE,
  finish,
  pause,
  reasoning,
  silence,
  text,
  toolCall,
  type Piece,
  type Script,
  type ScriptPart,
  type ScriptStep,
  type ScriptUsage,
} from './script.ts'
export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts'
export type { SendOptions, TestAnswer, TestToolCall } from './send.ts'
export { testServer, type TestServer, type TestServerOptions } from './test-server.ts'
