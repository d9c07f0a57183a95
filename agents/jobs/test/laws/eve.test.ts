import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { eveJudge } from '../../src/protocols/eve/judge.fixture.ts'
import { anyLogs } from '../../../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { framesOf } from '../../../../test/laws/encoded.ts'
import { describeEncoders } from '../../../../test/laws/encoders.contract.ts'
import { RUNS } from '../../../../test/laws/runs.ts'
import { folded, contentOfFold } from '../../../../test/laws/message-content.ts'
import { saidByEve } from './eve-reader.ts'
import { eve } from '../../src/protocols/eve/index.ts'

describeEncoders({ eve: { protocol: eve, judge: eveJudge } })

it('a reader of Eve’s frames gets what fold returns', () => {
  fc.assert(
    fc.property(anyLogs, (log) => {
      expect(saidByEve(framesOf(eve, log).flat())).toEqual(contentOfFold(folded(log)))
    }),
    RUNS,
  )
})
