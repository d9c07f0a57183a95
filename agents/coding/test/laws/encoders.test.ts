import { describeEncoders } from '../../../../test/laws/encoders.contract.ts'
import { codingFormats } from './formats.ts'

describeEncoders(codingFormats)
