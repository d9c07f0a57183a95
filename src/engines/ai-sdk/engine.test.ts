import { describeEngine } from '../engine.contract.ts'
import { aiSdkEngine } from './index.ts'

describeEngine('ai-sdk', aiSdkEngine)
