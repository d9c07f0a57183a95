export { demoModel } from './model.ts'
export type {
  DemoExchange,
  DemoLanguage,
  DemoRequest,
  DemoScript,
  DemoStep,
  DemoText,
  DemoTool,
} from './script.ts'
