export {
  customEngine,
  type CustomJob,
  type CustomMessage,
  type CustomPart,
  type CustomStream,
} from './custom/index.ts'
export { defaultEngine } from './default-engine.ts'
export { toPrompt, type PromptMessage } from './prompt.ts'
export type { Step } from './step.ts'
export { createSteps, type StepRequest } from './steps.ts'
