import { describeReaders } from '../../../../test/clients/resume.contract.ts'
import { vibelife } from '../../src/protocols/vibelife/index.ts'

describeReaders('vibelife', { body: { message: 'Go.' }, protocols: [vibelife] })
