import { defaultEngine } from './default-engine.ts'
import { describeEngine } from './engine.contract.ts'

describeEngine('the default engine', defaultEngine)
