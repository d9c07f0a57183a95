import { describeEngine } from '../../dragoman/src/engine/engine.contract.ts'
import { piEngine } from './index.ts'

describeEngine('pi', piEngine().create)
