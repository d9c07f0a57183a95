import { describeEngine } from '../engine.contract.ts'
import { piEngine } from './index.ts'

describeEngine('pi', piEngine)
