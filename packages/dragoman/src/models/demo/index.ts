export { demoModel } from './model.ts'
export type {
  DemoCall,
  DemoConversation,
  DemoExample,
  DemoLanguage,
  DemoOutcome,
  DemoReply,
  DemoScript,
  DemoSource,
  DemoText,
  DemoTool,
} from './script.ts'
