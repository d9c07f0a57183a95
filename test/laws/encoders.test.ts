import { coreFormats } from './encoded.ts'
import { describeEncoders } from './encoders.contract.ts'

describeEncoders(coreFormats)
